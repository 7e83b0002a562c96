package dev.paysaga.saga.inbox;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchMessageListener;

/** Hands the polls of one lane to the reactor, and knows whether that goes well. */
final class LaneListener implements BatchMessageListener<byte[], byte[]> {

    private final Lane lane;
    private final Reactor<?> reactor;
    private final AtomicReference<@Nullable Trouble> trouble = new AtomicReference<>();

    /**
     * Polls have failed ever since a moment.
     *
     * @param sinceNanos by {@link System#nanoTime()}
     * @param reason the last failure, in plain words
     */
    record Trouble(long sinceNanos, String reason) {}

    LaneListener(Lane lane, Reactor<?> reactor) {
        this.lane = lane;
        this.reactor = reactor;
    }

    /** The container stops for good upon an {@link Error}; a partition that waits visibly is better than that. */
    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> poll) {
        try {
            LaneDataSource.in(lane, () -> reactor.handle(poll));
            trouble.set(null);
        } catch (RuntimeException e) {
            fails(e);
            throw e;
        } catch (Error e) {
            fails(e);
            throw new IllegalStateException("a reaction broke down: " + e, e);
        }
    }

    /** Null if the last poll went well. */
    @Nullable Trouble trouble() {
        return trouble.get();
    }

    private void fails(Throwable failure) {
        trouble.updateAndGet(
                old -> new Trouble(old == null ? System.nanoTime() : old.sinceNanos(), Faults.reason(failure)));
    }
}
