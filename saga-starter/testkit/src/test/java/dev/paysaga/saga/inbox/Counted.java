package dev.paysaga.saga.inbox;

import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;

/** A counter has a new total. */
public final class Counted extends SpecificRecordBase {

    private static final long serialVersionUID = 1;

    public static final Schema SCHEMA$ = SchemaBuilder.record("Counted")
            .namespace("dev.paysaga.saga.inbox")
            .fields()
            .requiredString("counter")
            .requiredLong("total")
            .requiredString("note")
            .endRecord();

    private String counter = "";
    private long total;
    private String note = "";

    /** For Avro. */
    public Counted() {}

    Counted(UUID counter, long total, String note) {
        this.counter = counter.toString();
        this.total = total;
        this.note = note;
    }

    UUID counter() {
        return UUID.fromString(counter);
    }

    long total() {
        return total;
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
            case 1 -> total;
            default -> note;
        };
    }

    @Override
    public void put(int field, Object value) {
        switch (field) {
            case 0 -> counter = value.toString();
            case 1 -> total = (Long) value;
            default -> note = value.toString();
        }
    }
}
