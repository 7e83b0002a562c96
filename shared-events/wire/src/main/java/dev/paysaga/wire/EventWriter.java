package dev.paysaga.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** Writes the events of one schema under its id in the registry. */
final class EventWriter {

    private static final ThreadLocal<Desk> DESK = ThreadLocal.withInitial(Desk::new);

    private final byte[] prefix;
    private final Schema schema;
    private final SpecificDatumWriter<SpecificRecord> writer;

    EventWriter(int schemaId, Schema schema) {
        this.prefix = ByteBuffer.allocate(ConfluentWire.PREFIX_LENGTH)
                .put(ConfluentWire.MAGIC)
                .putInt(schemaId)
                .array();
        this.schema = schema;
        this.writer = new SpecificDatumWriter<>(schema);
    }

    byte[] write(SpecificRecord event) {
        Desk desk = DESK.get();
        desk.clear();
        try {
            desk.out.write(prefix);
            writer.write(event, desk.encoder);
            desk.encoder.flush();
        } catch (IOException | RuntimeException e) {
            DESK.remove();
            throw new IllegalArgumentException("an event does not fit its schema " + schema.getFullName(), e);
        }
        return desk.out.toByteArray();
    }

    /** What a thread writes on, so that an event costs no more memory than its own bytes. */
    private static final class Desk {

        /** Events have a few hundred bytes; what an outsized one needed is given back. */
        private static final int ROOM = 1_024;

        private static final int ROOM_KEPT = 64 * 1_024;

        private ByteArrayOutputStream out = new ByteArrayOutputStream(ROOM);
        private BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);

        void clear() {
            if (out.size() > ROOM_KEPT) {
                out = new ByteArrayOutputStream(ROOM);
                encoder = EncoderFactory.get().directBinaryEncoder(out, encoder);
            }
            out.reset();
        }
    }
}
