package dev.paysaga.stack.chaos;

import java.time.Duration;

/**
 * One fault of a schedule.
 *
 * @param at from the start of the load
 * @param target the process it is done to
 * @param lasting how long it is left so; zero for what is over at once
 */
public record Injection(Duration at, Fault fault, String target, Duration lasting) {

    @Override
    public String toString() {
        return target + " " + fault.words()
                + (lasting.isZero() ? "" : " for %.1f s".formatted(lasting.toMillis() / 1e3));
    }
}
