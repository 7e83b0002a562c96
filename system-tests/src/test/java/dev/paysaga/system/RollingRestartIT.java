package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.stack.chaos.Chaos;
import dev.paysaga.stack.chaos.GracefulRestart;
import dev.paysaga.stack.chaos.Rollout;
import dev.paysaga.stack.client.Repeats;
import dev.paysaga.stack.processes.Stack;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every replica of every service is asked to stop and started again, one after the other, under load. */
@Tag("nightly")
final class RollingRestartIT {

    private static final List<String> SERVICES = List.of("order", "inventory", "account", "notification");
    private static final Map<String, Integer> TWO_OF_EACH =
            Map.of("order", 2, "inventory", 2, "account", 2, "notification", 2, "console", 0);
    private static final int CLIENTS_PER_SECOND = 3;

    /** What a client's retry is for: come back later. */
    private static final List<String> NOT_NOW = List.of(
            Repeats.REFUSED,
            Repeats.BROKEN,
            Repeats.SILENCE,
            "409 request-in-progress",
            "429 rate-limited",
            "503 unavailable");

    /** What may be in hand is finished within this time, whatever it is. */
    private static final Duration DRAINED = Duration.ofSeconds(20);

    private static final Stack STACK = new CommandLine("rolling-restart").stack();

    @BeforeAll
    static void up() {
        STACK.clear();
        STACK.up(TWO_OF_EACH);
    }

    @AfterAll
    static void down() {
        STACK.down();
    }

    @Test
    void no_request_fails_that_a_retry_does_not_cure_no_work_is_broken_off_and_the_books_balance() {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        List<String> replicas = SERVICES.stream()
                .flatMap(service -> Stream.of(service, service + "#2"))
                .toList();

        Rollout rollout = new Chaos(STACK, TWO_OF_EACH, out).rollout(CLIENTS_PER_SECOND, replicas);

        out.printf("asked again: %s; longest wait for an answer: %s%n", rollout.repeats(), rollout.longestAnswer());
        assertThat(rollout.result().pending()).isEmpty();
        assertThat(rollout.result().wrong()).isEmpty();
        assertThat(rollout.result().counts())
                .containsEntry("clients without an answer", 0L)
                .containsEntry("processes that gave up and were started again", 0L);
        assertThat(rollout.repeats().keySet()).isSubsetOf(NOT_NOW);
        assertThat(rollout.restarts()).extracting(GracefulRestart::replica).containsExactlyElementsOf(replicas);
        assertThat(rollout.restarts()).allSatisfy(restart -> {
            assertThat(restart.ending().byItself()).as(restart.toString()).isTrue();
            assertThat(restart.ending().exitCode()).as(restart.toString()).isEqualTo(128 + 15);
            assertThat(restart.ending().took()).as(restart.toString()).isLessThan(DRAINED);
        });
        // One of two leads, and both were restarted.
        assertThat(rollout.restarts().stream()
                        .filter(restart -> restart.handOver().isPresent())
                        .map(restart -> restart.replica().replaceFirst("#.*", "")))
                .containsAll(SERVICES);
    }
}
