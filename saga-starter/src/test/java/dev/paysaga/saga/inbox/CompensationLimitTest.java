package dev.paysaga.saga.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class CompensationLimitTest {

    @Test
    void so_many_events_take_so_long_but_for_the_last_poll() throws Exception {
        Duration taken = timed(() -> {
            var limit = new CompensationLimit(1_000);
            for (int poll = 0; poll < 20; poll++) {
                limit.await(100);
            }
        });

        // 2,000 events are 2 s; the last poll's 0.1 s would be paid by the next one.
        assertThat(taken).isGreaterThanOrEqualTo(Duration.ofMillis(1_850));
    }

    @Test
    void draining_lets_go_whoever_waits_and_whoever_comes() throws Exception {
        var limit = new CompensationLimit(1);
        limit.await(10_000);
        var through = new CountDownLatch(1);
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                limit.await(10_000);
                through.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(through.getCount()).isOne();

        limit.drain(true);

        assertThat(through.await(1, TimeUnit.MINUTES)).isTrue();
        limit.await(1_000_000);
        assertThat(limit.state()).isEqualTo(new CompensationLimit.State(1, true));
    }

    @Test
    void no_poll_is_larger_than_what_passes_in_a_second() {
        assertThat(new CompensationLimit(200).limitPoll(500)).isEqualTo(200);
        assertThat(new CompensationLimit(900).limitPoll(500)).isEqualTo(500);
        assertThat(new CompensationLimit(0).limitPoll(500)).isEqualTo(500);
    }

    @Test
    void without_a_limit_nobody_waits() throws Exception {
        var limit = new CompensationLimit(0);

        limit.await(Integer.MAX_VALUE);
        limit.await(Integer.MAX_VALUE);
    }

    private static Duration timed(Work work) throws Exception {
        long start = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }
}
