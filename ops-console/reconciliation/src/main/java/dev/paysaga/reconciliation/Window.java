package dev.paysaga.reconciliation;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A part of time, half-open. What belongs to an order is in the window in which the order was placed, which its id says.
 *
 * @param from null: from the beginning
 * @param to null: without end
 */
public record Window(@Nullable Instant from, @Nullable Instant to) {

    /** All of time. */
    public static final Window ALL = new Window(null, null);

    /** Whether an id with a time in its first 48 bits belongs here. */
    public boolean contains(UUID id) {
        Instant time = time(id);
        return (from == null || !time.isBefore(from)) && (to == null || time.isBefore(to));
    }

    /** When the saga began that an order's or event's id belongs to. */
    static Instant time(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }
}
