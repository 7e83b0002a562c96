package dev.paysaga.saga.outbox;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Keeps the outbox's partitions, in every replica: whoever comes second finds the work done. */
final class OutboxHousekeeping implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxHousekeeping.class);

    /** Far more often than needed once a day, so that a round that gave up is soon made good. */
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    /** Before anything that writes: listeners and the web server start late. */
    private static final int EARLY = -1_000;

    private final OutboxPartitions partitions;
    private final ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("outbox-housekeeping").factory());
    private volatile boolean running;

    OutboxHousekeeping(OutboxPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public void start() {
        running = true;
        round();
        rounds.scheduleWithFixedDelay(this::round, INTERVAL.toSeconds(), INTERVAL.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        running = false;
        rounds.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return EARLY;
    }

    private void round() {
        try {
            partitions.maintain();
        } catch (RuntimeException e) {
            LOG.warn("Outbox maintenance failed and will be tried again", e);
        }
    }
}
