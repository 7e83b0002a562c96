package dev.paysaga.saga.inbox;

import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;

/** A counter was bumped: by is what the test makes of it, see {@link Tally}. */
public final class Bumped extends SpecificRecordBase {

    private static final long serialVersionUID = 1;

    public static final Schema SCHEMA$ = SchemaBuilder.record("Bumped")
            .namespace("dev.paysaga.saga.inbox")
            .fields()
            .requiredString("counter")
            .requiredLong("by")
            .requiredString("note")
            .endRecord();

    private String counter = "";
    private long by;
    private String note = "";

    /** For Avro. */
    public Bumped() {}

    Bumped(UUID counter, long by, String note) {
        this.counter = counter.toString();
        this.by = by;
        this.note = note;
    }

    UUID counter() {
        return UUID.fromString(counter);
    }

    long by() {
        return by;
    }

    String note() {
        return note;
    }

    @Override
    public Schema getSchema() {
        return SCHEMA$;
    }

    @Override
    public Object get(int field) {
        return switch (field) {
            case 0 -> counter;
            case 1 -> by;
            default -> note;
        };
    }

    @Override
    public void put(int field, Object value) {
        switch (field) {
            case 0 -> counter = value.toString();
            case 1 -> by = (Long) value;
            default -> note = value.toString();
        }
    }
}
