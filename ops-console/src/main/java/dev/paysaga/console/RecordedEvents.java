package dev.paysaga.console;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.reconciliation.EventLog;
import dev.paysaga.reconciliation.KafkaLog;
import dev.paysaga.reconciliation.Published;
import dev.paysaga.reconciliation.Window;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The record of what was published: one row an event, in the console's own database. */
@Component
final class RecordedEvents implements EventLog {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long POLL = TimeUnit.MILLISECONDS.toNanos(100);

    /** Rows deleted at once: short transactions, small log. */
    private static final int DELETE_BATCH = 5_000;

    private final JdbcOperations jdbc;
    private final KafkaAdmin kafka;
    private final ConsoleProperties properties;

    RecordedEvents(JdbcOperations jdbc, KafkaAdmin kafka, ConsoleProperties properties) {
        this.jdbc = jdbc;
        this.kafka = kafka;
        this.properties = properties;
    }

    /** Records what is not known yet, with one statement. */
    void record(List<Published> events) {
        if (!events.isEmpty()) {
            jdbc.update(
                    """
                    insert into published_events (event_id, topic, partition, "offset", key, type, source, at)
                    select * from unnest(?::uuid[], ?::text[], ?::int[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::timestamptz[])
                    on conflict do nothing
                    """,
                    column(events, UUID[]::new, Published::id),
                    column(events, String[]::new, event -> event.partition().topic()),
                    column(events, Integer[]::new, event -> event.partition().partition()),
                    column(events, Long[]::new, Published::offset),
                    // PostgreSQL's text has no zero character.
                    column(events, String[]::new, event -> event.key().replace("\0", "")),
                    column(events, String[]::new, event -> event.type().replace("\0", "")),
                    column(events, String[]::new, event -> event.source().replace("\0", "")),
                    column(events, String[]::new, event -> event.time().toString()));
        }
    }

    /** Forgets what was recorded too long ago; an event of an old saga that has just come is not. */
    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void forget() {
        int deleted;
        do {
            deleted = jdbc.update("""
                    delete from published_events where ctid = any(array(
                        select ctid from published_events where recorded_at < now() - make_interval(secs => ?) limit ?))
                    """, (double) properties.keepEvents().toSeconds(), DELETE_BATCH);
        } while (deleted == DELETE_BATCH);
    }

    @Override
    public Progress progress() {
        return new KafkaLog(kafka.getConfigurationProperties(), PaymentSaga.topics()).progress();
    }

    /** @throws IllegalStateException if the record does not catch up with the topics */
    @Override
    public Collection<Published> read(Window window) {
        catchUp();
        return jdbc.query(
                """
                select event_id, topic, partition, "offset", key, type, source, at
                  from published_events
                 where event_id >= ? and event_id < ?
                """,
                RecordedEvents::event,
                window.from() == null ? new UUID(0, 0) : id(window.from()),
                window.to() == null ? new UUID(-1, -1) : id(window.to()));
    }

    /** When the oldest saga began of which an event is recorded; null if none is. */
    @Nullable
    Instant oldest() {
        return jdbc
                .query(
                        "select event_id from published_events order by event_id limit 1",
                        (row, n) -> Instant.ofEpochMilli(
                                row.getObject(1, UUID.class).getMostSignificantBits() >>> 16))
                .stream()
                .findFirst()
                .orElse(null);
    }

    private void catchUp() {
        Map<String, Object> settings = kafka.getConfigurationProperties();
        Map<TopicPartition, Long> ends =
                KafkaLog.progress(settings, PaymentSaga.topics(), List.of()).ends();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!recorded(KafkaLog.progress(settings, PaymentSaga.topics(), List.of(EventRecorder.GROUP)), ends)) {
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException(
                        "The record of events is behind the topics by more than " + PATIENCE.toSeconds() + " s.");
            }
            LockSupport.parkNanos(POLL);
        }
    }

    private static boolean recorded(Progress progress, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Long> done = progress.done().getOrDefault(EventRecorder.GROUP, Map.of());
        return ends.entrySet().stream()
                .allMatch(end -> end.getValue() == 0 || done.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }

    private static UUID id(Instant time) {
        return new UUID(time.toEpochMilli() << 16, 0);
    }

    private static Published event(ResultSet row, int number) throws SQLException {
        return new Published(
                row.getObject(1, UUID.class),
                new TopicPartition(row.getString(2), row.getInt(3)),
                row.getLong(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getObject(8, OffsetDateTime.class)
                        .withOffsetSameInstant(ZoneOffset.UTC)
                        .toInstant());
    }

    private static <T> T[] column(List<Published> events, IntFunction<T[]> array, Function<Published, T> value) {
        return events.stream().map(value).toArray(array);
    }
}
