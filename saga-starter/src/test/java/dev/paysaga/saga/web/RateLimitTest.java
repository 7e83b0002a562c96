package dev.paysaga.saga.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RateLimitTest {

    /** A clock near its overflow: {@link System#nanoTime()} may be anywhere. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final RateLimit limit = new RateLimit(2, 3, nanos::get);

    @Test
    void aBurstPassesAndThenOneAtATime() {
        assertThat(taken(5)).isEqualTo(3);
        pass(Duration.ofMillis(499));
        assertThat(taken(1)).isZero();
        pass(Duration.ofMillis(1));
        assertThat(taken(2)).isEqualTo(1);
    }

    @Test
    void aPauseFillsTheBucketButNotMore() {
        assertThat(taken(3)).isEqualTo(3);
        pass(Duration.ofHours(1));
        assertThat(taken(5)).isEqualTo(3);
    }

    @Test
    void theWaitIsInWholeSecondsRoundedUp() {
        var slow = new RateLimit(0.2, 1, nanos::get);
        assertThat(slow.secondsToWait("a")).isZero();
        assertThat(slow.secondsToWait("a")).isEqualTo(5);
        pass(Duration.ofMillis(3001));
        assertThat(slow.secondsToWait("a")).isEqualTo(2);
    }

    @Test
    void eachHasItsOwnBucket() {
        assertThat(taken(4)).isEqualTo(3);
        assertThat(limit.secondsToWait("another")).isZero();
    }

    private int taken(int attempts) {
        int taken = 0;
        for (int i = 0; i < attempts; i++) {
            taken += limit.secondsToWait("one") == 0 ? 1 : 0;
        }
        return taken;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
