package dev.paysaga.saga.relay;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox, from the log or by query.
 *
 * @param id the event's id
 * @param time when it was announced, RFC 3339 in UTC
 * @param headers further Kafka headers as a JSON object of strings
 */
record OutboxRow(
        String id,
        @Nullable String aggregateId,
        String eventType,
        String topic,
        byte @Nullable [] payload,
        @Nullable String headers,
        String time) {

    /** The columns of {@link #read}, in its order. */
    static final String COLUMNS = "id, aggregate_id, event_type, topic, payload, headers, created_at";

    static OutboxRow of(Struct after) {
        return new OutboxRow(
                after.getString("id"),
                after.getString("aggregate_id"),
                after.getString("event_type"),
                after.getString("topic"),
                bytes(after.get("payload")),
                after.getString("headers"),
                after.getString("created_at"));
    }

    static OutboxRow read(ResultSet row) throws SQLException {
        return new OutboxRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getBytes(5),
                row.getString(6),
                Instant.from(row.getObject(7, java.time.OffsetDateTime.class)).toString());
    }

    static byte @Nullable [] bytes(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case byte[] array -> array;
            case ByteBuffer buffer
            when buffer.hasArray() && buffer.arrayOffset() == 0 && buffer.array().length == buffer.remaining() ->
                buffer.array();
            case ByteBuffer buffer -> {
                byte[] copy = new byte[buffer.remaining()];
                buffer.duplicate().get(copy);
                yield copy;
            }
            default ->
                throw new IllegalArgumentException(
                        "a payload came as " + value.getClass().getName());
        };
    }
}
