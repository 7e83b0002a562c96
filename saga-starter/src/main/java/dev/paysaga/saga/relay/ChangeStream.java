package dev.paysaga.saga.relay;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the Debezium engine. It never recovers by itself: whoever watches it starts another, from the beginning. */
final class ChangeStream implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeStream.class);

    /** Changes read ahead of Kafka; Debezium wants it above the batch. */
    private static final int QUEUE = 8_192;

    private static final Duration END_NOTICED_WITHIN = Duration.ofMillis(50);

    /** What a batch of the log is handed to. */
    @FunctionalInterface
    interface Handler {

        /**
         * Takes the next changes.
         *
         * @return whether everything up to the end of this batch is done for good, so that the log need not keep it
         * @throws Exception if something cannot be done; the stream then ends with this
         */
        boolean handle(List<RecordChangeEvent<SourceRecord>> batch) throws Exception;
    }

    private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ChangeStream(Properties settings, Handler handler) {
        this.engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(settings)
                .using((success, message, error) -> {
                    if (!success) {
                        failure.compareAndSet(null, error != null ? error : new IllegalStateException(message));
                    }
                })
                .notifying((batch, committer) -> {
                    if (handle(handler, batch)) {
                        // Places only grow: marking the last marks all.
                        committer.markProcessed(batch.getLast());
                        committer.markBatchFinished();
                    }
                })
                .build();
    }

    static ChangeStream start(RelayDatabase database, RelayProperties properties, Handler handler) {
        var stream = new ChangeStream(settings(database, properties), handler);
        Thread.ofPlatform().daemon().name("outbox-relay-engine").start(stream::run);
        return stream;
    }

    /**
     * Waits for the end of the stream.
     *
     * @return whether it has ended
     */
    boolean awaitEnd(Duration patience) throws InterruptedException {
        return ended.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Why it ended; null if it runs or was closed. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }

    /**
     * Waits for the end of the stream, or for its owner's.
     *
     * @return whether the stream has ended
     */
    boolean awaitEnd(Duration patience, CountDownLatch stopping) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (stopping.getCount() > 0 && System.nanoTime() - deadline < 0) {
            if (ended.await(END_NOTICED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return ended.getCount() == 0;
    }

    /** Asks it to end. Debezium may take its time over it or refuse while it starts: {@link #awaitEnd} tells. */
    @Override
    public void close() {
        Thread.ofPlatform().daemon().name("outbox-relay-engine-stop").start(() -> {
            try {
                engine.close();
            } catch (IOException | RuntimeException e) {
                LOG.debug("The engine did not let itself be closed", e);
            }
        });
    }

    private void run() {
        try {
            engine.run();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        } finally {
            ended.countDown();
        }
    }

    private boolean handle(Handler handler, List<RecordChangeEvent<SourceRecord>> batch) throws InterruptedException {
        try {
            return handler.handle(batch);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failure.compareAndSet(null, e);
            throw new IllegalStateException("the outbox could not be relayed", e);
        }
    }

    private static Properties settings(RelayDatabase database, RelayProperties properties) {
        var settings = new Properties();
        settings.put("name", "paysaga-outbox-relay");
        settings.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        settings.put("topic.prefix", "paysaga");
        settings.put("database.hostname", database.host());
        settings.put("database.port", database.port());
        settings.put("database.dbname", database.name());
        settings.put("database.user", database.username());
        settings.put("database.password", database.password());
        database.encryption().forEach((name, value) -> settings.put("database." + name, value));

        settings.put("plugin.name", "pgoutput");
        settings.put("slot.name", properties.slotName());
        settings.put("publication.name", "paysaga_outbox");
        settings.put("publication.autocreate.mode", "disabled");
        settings.put("table.include.list", "public.outbox");
        // Not in the publication, and Debezium warns about types it does not know.
        settings.put("column.exclude.list", "public.outbox.(aggregate_type|seq|tx)");
        settings.put("message.prefix.include.list", Watermark.PREFIX);
        settings.put("snapshot.mode", "no_data");
        settings.put("binary.handling.mode", "bytes");

        // The slot knows its place, and nothing else may: a remembered place could skip rows of a recreated slot.
        settings.put("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        settings.put("offset.flush.interval.ms", "1000");

        // A value that cannot be converted is never left out silently.
        settings.put("event.processing.failure.handling.mode", "fail");
        settings.put("event.converting.failure.handling.mode", "fail");

        // No retries inside: a restart inside would create a missing slot and go on as if nothing had been lost, and
        // its
        // waits double. The relay starts over instead, with its own checks.
        settings.put("errors.max.retries", "0");
        settings.put("slot.max.retries", "0");

        settings.put("poll.interval.ms", Long.toString(properties.pollInterval().toMillis()));
        settings.put("max.batch.size", Integer.toString(properties.maxBatch()));
        settings.put("max.queue.size", Integer.toString(QUEUE));
        settings.put("queue.provider.type", CalmQueue.NAME);
        settings.put("record.processing.threads", "1");
        settings.put("record.processing.shutdown.timeout.ms", "500");
        settings.put("executor.shutdown.timeout.ms", "500");
        settings.put("task.management.timeout.ms", "30000");

        // What nobody asked for.
        settings.put("tombstones.on.delete", "false");
        settings.put("provide.transaction.metadata", "false");
        settings.put("signal.enabled.channels", "");
        settings.put("notification.enabled.channels", "");
        settings.put("statistics.metrics.enabled", "false");
        settings.put("advanced.metrics.enable", "false");
        settings.put("openlineage.integration.enabled", "false");
        return settings;
    }
}
