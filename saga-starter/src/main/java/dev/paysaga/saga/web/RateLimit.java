package dev.paysaga.saga.web;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A token bucket for each caller, in memory, as the generic cell rate algorithm (ITU-T I.371): all that is remembered of
 * a bucket is the moment when it will be full again.
 */
final class RateLimit {

    /** More buckets than this are looked through for full ones, which mean the same as none. */
    private static final int PRUNE_ABOVE = 10_000;

    private final ConcurrentMap<String, AtomicLong> fullAt = new ConcurrentHashMap<>();
    private final long nanosPerRequest;
    private final long capacityNanos;
    private final LongSupplier nanoTime;

    /**
     * @param perSecond how fast a bucket fills; more than 0
     * @param burst how much it holds; at least 1
     * @param nanoTime a clock that only runs forward, as {@link System#nanoTime()}
     */
    RateLimit(double perSecond, int burst, LongSupplier nanoTime) {
        this.nanosPerRequest = Math.max(1, Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond));
        this.capacityNanos = nanosPerRequest * Math.max(1, burst);
        this.nanoTime = nanoTime;
    }

    /**
     * Takes one from the caller's bucket.
     *
     * @return 0 if there was one; else the seconds until there is one again, rounded up
     */
    long secondsToWait(String caller) {
        long now = nanoTime.getAsLong();
        if (fullAt.size() > PRUNE_ABOVE) {
            fullAt.values().removeIf(full -> full.get() - now <= 0);
        }
        AtomicLong bucket = fullAt.computeIfAbsent(caller, any -> new AtomicLong(now));
        while (true) {
            long full = bucket.get();
            long after = (full - now > 0 ? full : now) + nanosPerRequest;
            long over = after - now - capacityNanos;
            if (over > 0) {
                return Math.ceilDiv(over, TimeUnit.SECONDS.toNanos(1));
            }
            if (bucket.compareAndSet(full, after)) {
                return 0;
            }
        }
    }
}
