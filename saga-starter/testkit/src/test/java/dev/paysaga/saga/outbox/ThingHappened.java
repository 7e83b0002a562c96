package dev.paysaga.saga.outbox;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;

/** An event of a language made up for these tests. */
public final class ThingHappened extends SpecificRecordBase {

    private static final long serialVersionUID = 1;

    /** Found by Avro under this name. */
    public static final Schema SCHEMA$ = SchemaBuilder.record("ThingHappened")
            .namespace(ThingHappened.class.getPackageName())
            .fields()
            .requiredString("thing")
            .endRecord();

    private String thing = "";

    public ThingHappened() {}

    public ThingHappened(String thing) {
        this.thing = thing;
    }

    @Override
    public Schema getSchema() {
        return SCHEMA$;
    }

    @Override
    public Object get(int field) {
        return thing;
    }

    @Override
    public void put(int field, Object value) {
        thing = value.toString();
    }
}
