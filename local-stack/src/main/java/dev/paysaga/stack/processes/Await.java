package dev.paysaga.stack.processes;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for a condition, never longer than a deadline. */
public final class Await {

    /** Short enough to add nothing one would notice, long enough to leave the processors to those who are waited for. */
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private Await() {}

    /**
     * Waits until it is so.
     *
     * @param what the condition in words, for the message
     * @throws StackFailure when the time is over
     */
    public static void until(String what, int seconds, BooleanSupplier condition) {
        if (!holds(Duration.ofSeconds(seconds), condition)) {
            throw new StackFailure("Waited " + seconds + " s in vain until " + what + ".");
        }
    }

    /** Waits until it is so; false when the time is over. */
    public static boolean holds(Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
        return true;
    }
}
