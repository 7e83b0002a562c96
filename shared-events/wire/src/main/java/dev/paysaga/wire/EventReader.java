package dev.paysaga.wire;

import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Reads the events that were written with one schema, as the generated class of the same name knows them. */
final class EventReader {

    private static final ThreadLocal<@Nullable BinaryDecoder> DECODER = new ThreadLocal<>();

    private final Schema writersSchema;
    private final int schemaId;

    /** Avro's readers keep what they prepared for a schema, and are made for one thread. */
    private final ThreadLocal<SpecificDatumReader<SpecificRecord>> reader;

    private EventReader(int schemaId, Schema writersSchema, Schema readersSchema) {
        this.schemaId = schemaId;
        this.writersSchema = writersSchema;
        this.reader = ThreadLocal.withInitial(() -> new SpecificDatumReader<>(writersSchema, readersSchema));
    }

    /** @throws UndecodableEvent if no generated class has the name of this schema */
    static EventReader of(int schemaId, Schema writersSchema) {
        return new EventReader(schemaId, writersSchema, readersSchema(writersSchema));
    }

    SpecificRecord read(byte[] value) {
        BinaryDecoder decoder = DecoderFactory.get()
                .binaryDecoder(
                        value, ConfluentWire.PREFIX_LENGTH, value.length - ConfluentWire.PREFIX_LENGTH, DECODER.get());
        DECODER.set(decoder);
        SpecificRecord event;
        boolean readToTheEnd;
        try {
            event = reader.get().read(null, decoder);
            readToTheEnd = decoder.isEnd();
        } catch (IOException | RuntimeException e) {
            throw new UndecodableEvent(
                    "the bytes are no " + writersSchema.getFullName() + " of schema id " + schemaId + ": " + e, e);
        }
        if (!readToTheEnd) {
            throw new UndecodableEvent(
                    "bytes are left over behind a " + writersSchema.getFullName() + " of schema id " + schemaId);
        }
        return event;
    }

    private static Schema readersSchema(Schema writersSchema) {
        if (writersSchema.getType() != Schema.Type.RECORD) {
            throw new UndecodableEvent("an event is a record, but schema " + writersSchema + " is none");
        }
        try {
            Class<?> type = SpecificData.get().getClass(writersSchema);
            if (type != null && SpecificRecord.class.isAssignableFrom(type)) {
                return SpecificData.get().getSchema(type);
            }
        } catch (SecurityException | AvroRuntimeException e) {
            throw new UndecodableEvent(writersSchema.getFullName() + " is no class of events here", e);
        }
        throw new UndecodableEvent(writersSchema.getFullName() + " is no class of events here");
    }
}
