package dev.paysaga.saga.outbox;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
    private volatile @Nullable ScheduledExecutorService rounds;

    OutboxHousekeeping(OutboxPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public synchronized void start() {
        if (rounds != null) {
            return;
        }
        round();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("outbox-housekeeping").factory());
        rounds = thread;
        thread.scheduleWithFixedDelay(this::round, INTERVAL.toSeconds(), INTERVAL.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public synchronized void stop() {
        ScheduledExecutorService thread = rounds;
        if (thread != null) {
            thread.shutdownNow();
            rounds = null;
        }
    }

    @Override
    public boolean isRunning() {
        return rounds != null;
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
