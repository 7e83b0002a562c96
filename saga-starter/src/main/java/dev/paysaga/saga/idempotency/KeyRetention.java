package dev.paysaga.saga.idempotency;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Forgets keys whose retention has passed, in small bites, each its own commit: no request ever waits for it, and two
 * replicas at it pass each other by.
 */
final class KeyRetention implements SmartLifecycle {

    /** Some milliseconds of work. */
    private static final int BITE = 500;

    private static final Logger log = LoggerFactory.getLogger(KeyRetention.class);

    private final KeyStore keys;
    private final Duration interval;
    private @Nullable ScheduledExecutorService thread;

    KeyRetention(KeyStore keys, Duration interval) {
        this.keys = keys;
        this.interval = interval;
    }

    /** Forgets all that are due. */
    int cleanUp() {
        int all = 0;
        int bite;
        do {
            bite = keys.forget(BITE);
            all += bite;
        } while (bite == BITE && !Thread.currentThread().isInterrupted());
        return all;
    }

    private void tryCleanUp() {
        try {
            cleanUp();
        } catch (RuntimeException e) {
            log.warn("old idempotency keys could not be forgotten, trying again in {}: {}", interval, e.toString());
        }
    }

    @Override
    public synchronized void start() {
        thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("idempotency-retention").factory());
        thread.scheduleWithFixedDelay(
                this::tryCleanUp, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
