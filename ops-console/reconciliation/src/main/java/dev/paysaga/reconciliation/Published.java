package dev.paysaga.reconciliation;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * An event as it stands in a topic. Published again, as a relay may do after a crash, it counts where it stood first.
 *
 * @param key of the record: the order id, for every event of a saga; empty if it has none
 * @param source who published it, as {@code ce_source} says
 * @param time when it was announced
 */
public record Published(
        UUID id, TopicPartition partition, long offset, String key, String type, String source, Instant time) {

    private static final String OURS = "/paysaga/";

    /** What a record says about itself in its headers; null when it is no event. Its bytes are nobody's business here. */
    public static @Nullable Published of(ConsumerRecord<byte[], byte[]> record) {
        String id = header(record, "ce_id");
        if (id.isEmpty()) {
            return null;
        }
        try {
            return new Published(
                    UUID.fromString(id),
                    new TopicPartition(record.topic(), record.partition()),
                    record.offset(),
                    record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8),
                    header(record, "ce_type"),
                    header(record, "ce_source"),
                    time(record));
        } catch (IllegalArgumentException noUuid) {
            return null;
        }
    }

    /** The service that announced it, such as {@code order}; empty when it is none of ours. */
    String service() {
        return source.startsWith(OURS) ? source.substring(OURS.length()) : "";
    }

    String topic() {
        return partition.topic();
    }

    private static Instant time(ConsumerRecord<byte[], byte[]> record) {
        try {
            return OffsetDateTime.parse(header(record, "ce_time")).toInstant();
        } catch (DateTimeException notSaid) {
            return Instant.ofEpochMilli(Math.max(0, record.timestamp()));
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
