package dev.paysaga.saga.inbox;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchMessageListener;

/** Hands the polls of one lane to the reactor, and knows whether that goes well. */
final class LaneListener implements BatchMessageListener<byte[], byte[]> {

    /** A failed poll is tried again within seconds; whoever does not, has lost its partition to another replica. */
    private static final long STALE_NANOS = Duration.ofMinutes(1).toNanos();

    private final Lane lane;
    private final Reactor<?> reactor;
    private final CompensationLimit limit;
    private final Map<Thread, Trouble> troubles = new ConcurrentHashMap<>();

    /**
     * Polls have failed ever since a moment.
     *
     * @param sinceNanos when they began to, by {@link System#nanoTime()}
     * @param lastNanos when one failed last
     * @param reason the last failure, in plain words
     */
    record Trouble(long sinceNanos, long lastNanos, String reason) {}

    LaneListener(Lane lane, Reactor<?> reactor, CompensationLimit limit) {
        this.lane = lane;
        this.reactor = reactor;
        this.limit = limit;
    }

    /** The container stops for good upon an {@link Error}; a partition that waits visibly is better than that. */
    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> poll) {
        try {
            if (lane == Lane.COMPENSATION) {
                limit.await(poll.size());
            }
            LaneDataSource.in(lane, () -> reactor.handle(poll));
            troubles.remove(Thread.currentThread());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for its turn", e);
        } catch (RuntimeException e) {
            fails(e);
            throw e;
        } catch (Error e) {
            fails(e);
            throw new IllegalStateException("a reaction broke down: " + e, e);
        }
    }

    /** The oldest trouble of its threads; null if each one's last poll went well. */
    @Nullable
    Trouble trouble() {
        long now = System.nanoTime();
        troubles.values().removeIf(trouble -> now - trouble.lastNanos() > STALE_NANOS);
        return troubles.values().stream()
                .max(Comparator.comparingLong(trouble -> now - trouble.sinceNanos()))
                .orElse(null);
    }

    private void fails(Throwable failure) {
        long now = System.nanoTime();
        troubles.merge(
                Thread.currentThread(),
                new Trouble(now, now, Faults.reason(failure)),
                (old, latest) -> new Trouble(old.sinceNanos(), now, latest.reason()));
    }
}
