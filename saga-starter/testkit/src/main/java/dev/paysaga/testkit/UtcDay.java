package dev.paysaga.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

/** Days as the partitions know them. */
public final class UtcDay {

    private UtcDay() {}

    /**
     * Today, for a test that must end on the day on which it began; just before midnight that is tomorrow, waited for.
     *
     * @param atLeast what must be left of the day
     */
    public static LocalDate lasting(Duration atLeast) {
        while (true) {
            Instant now = Instant.now();
            Instant midnight = now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
            if (now.plus(atLeast).isBefore(midnight)) {
                return LocalDate.ofInstant(now, ZoneOffset.UTC);
            }
            LockSupport.parkNanos(Duration.between(now, midnight).toNanos());
        }
    }
}
