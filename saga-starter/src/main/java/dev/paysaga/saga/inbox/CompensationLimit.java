package dev.paysaga.saga.inbox;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * How fast this replica compensates: a token bucket, so that a storm of refunds or cancellations leaves the machine to the
 * orders that come in. Whoever is on call may open it, to drain what has piled up; also as the management endpoint
 * {@code compensations}.
 */
@Endpoint(id = "compensations")
final class CompensationLimit {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int perSecond;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();
    private boolean draining;

    /** When the tokens that were handed out so far are paid for. */
    private long paidUntil = System.nanoTime();

    /** @param perSecond events a second; 0 for no limit */
    CompensationLimit(int perSecond) {
        this.perSecond = perSecond;
    }

    /**
     * What the endpoint shows.
     *
     * @param eventsPerSecond of this replica; 0 for no limit
     * @param draining whether the limit is lifted
     */
    record State(int eventsPerSecond, boolean draining) {}

    @ReadOperation
    State state() {
        lock.lock();
        try {
            return new State(perSecond, draining);
        } finally {
            lock.unlock();
        }
    }

    /** @param drain true lifts the limit until it is called with false, or the service restarts */
    @WriteOperation
    void drain(boolean drain) {
        lock.lock();
        try {
            draining = drain;
            paidUntil = System.nanoTime();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until so many events may be handled. A poll is let in as a whole once the one before it is paid for: unused time
     * of up to a second may be spent at once.
     */
    void await(int events) throws InterruptedException {
        lock.lock();
        try {
            if (perSecond == 0 || draining) {
                return;
            }
            long now = System.nanoTime();
            long turn = Math.max(paidUntil, now - SECOND);
            paidUntil = turn + events * SECOND / perSecond;
            long wait = turn - now;
            while (wait > 0 && !draining) {
                wait = drained.awaitNanos(wait);
            }
        } finally {
            lock.unlock();
        }
    }

    /** At most what passes within a second, so that no poll waits longer than that for its tokens. */
    int limitPoll(int maxPollRecords) {
        return perSecond == 0 ? maxPollRecords : Math.min(maxPollRecords, perSecond);
    }
}
