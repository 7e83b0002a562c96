package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paysaga.stack.chaos.Chaos;
import dev.paysaga.stack.chaos.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The system in containers, as {@code docker compose up} starts it. Where no Docker engine answers, skipped with that reason. */
final class ComposeIT {

    private static final List<String> CONTAINERS = List.of(
            "order-db",
            "inventory-db",
            "account-db",
            "notification-db",
            "console-db",
            "kafka",
            "registry",
            "order",
            "inventory",
            "account",
            "notification",
            "console");

    private static final int CLIENTS_PER_SECOND = 3;

    private static final CommandLine PAYSAGA = new CommandLine("compose").with("COMPOSE_PROJECT_NAME", "paysaga-test");

    private static boolean started;

    @BeforeAll
    static void up() {
        assumeTrue(
                !"embedded".equals(System.getenv("PAYSAGA_TEST_SERVERS")),
                "PAYSAGA_TEST_SERVERS=embedded: nothing runs in containers");
        assumeTrue(
                PAYSAGA.program("docker", "version").code() == 0,
                "no Docker engine answers: nothing runs in containers");
        started = true;
        PAYSAGA.compose("down", "--volumes");
        CommandLine.Result up = PAYSAGA.compose("up", "--wait", "--build", "--quiet-pull");
        assertThat(up.code()).as(up.output()).isZero();
    }

    @AfterAll
    static void down() throws IOException {
        if (started) {
            Files.writeString(
                    Path.of("target", "compose.log"),
                    PAYSAGA.compose("logs", "--no-color").output());
            PAYSAGA.compose("down", "--volumes");
        }
    }

    @Test
    void the_demo_plays_in_containers() {
        CommandLine.Result demo = PAYSAGA.run("demo", "--against", "compose");

        assertThat(demo.code()).as(demo.output()).isZero();
        assertThat(demo.output()).contains("the books balance: no difference");
    }

    @Test
    void every_container_is_killed_under_load_the_books_balance_and_every_promise_to_a_client_is_kept() {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

        Result result = new Chaos(PAYSAGA.containers(), out)
                .inTurn(CLIENTS_PER_SECOND, "killed", CONTAINERS, container -> {
                    succeeds("kill", container);
                    succeeds("start", container);
                });

        assertThat(result.pending()).isEmpty();
        assertThat(result.wrong()).isEmpty();
        assertThat(result.counts()).containsEntry("clients without an answer", 0L);
        assertThat(result.counts().get("orders")).isGreaterThan(100);
        assertThat(result.counts().get("promises given")).isGreaterThan(200);
    }

    private static void succeeds(String... command) {
        CommandLine.Result result = PAYSAGA.run(command);
        assertThat(result.code()).as(result.output()).isZero();
    }
}
