package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.processes.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
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
    void every_container_is_killed_under_load_and_the_books_balance() throws Exception {
        var merchant = new Services(PAYSAGA.containers()).merchant("compose");
        merchant.openMerchantAccount("shop", "EUR");
        merchant.openWallet("alice", "EUR", 10_000_000);
        merchant.receive("tea", "R-1", 100_000);
        Map<String, String> accepted = new ConcurrentHashMap<>();
        var enough = new AtomicBoolean();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> load = threads.submit(() -> {
                for (int number = 1; !enough.get(); number++) {
                    String outTradeNo = "C-" + number;
                    threads.submit(() -> accepted.put(outTradeNo, placeUntilAccepted(merchant, outTradeNo)));
                    LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                }
            });
            try {
                for (String container : CONTAINERS) {
                    assertThat(PAYSAGA.run("kill", container).code())
                            .as(container)
                            .isZero();
                    CommandLine.Result start = PAYSAGA.run("start", container);
                    assertThat(start.code()).as(start.output()).isZero();
                }
                Await.holds(Duration.ofMinutes(2), () -> accepted.size() > 100);
            } finally {
                enough.set(true);
            }
            load.get();
        }

        CommandLine.Result verdict = PAYSAGA.run("reconcile", "--wait", "180");
        assertThat(verdict.code()).as(verdict.output()).isZero();
        assertThat(verdict.output()).doesNotContain("still on its way");
        assertThat(accepted).hasSizeGreaterThan(100);
        assertThat(accepted.values()).doesNotHaveDuplicates();
        accepted.forEach(
                (outTradeNo, orderId) -> assertThat(merchant.order(orderId).text("status"))
                        .as(outTradeNo)
                        .isIn(Merchant.TERMINAL));
        assertThat(merchant.stock("tea").number("onHand")).isLessThanOrEqualTo(100_000 - paid(merchant, accepted));
        assertThat(merchant.account("alice").number("posted")).isEqualTo(10_000_000 - 100 * paid(merchant, accepted));
    }

    private static long paid(Merchant merchant, Map<String, String> accepted) {
        return accepted.values().stream()
                .filter(orderId -> merchant.order(orderId).text("status").equals("PAID"))
                .count();
    }

    /** As a client should: the same key until there is an answer. */
    private static String placeUntilAccepted(Merchant merchant, String outTradeNo) {
        String body = Merchant.order(outTradeNo, "alice", "EUR", "tea", 1, 100);
        while (true) {
            try {
                Answer answer = merchant.place(body, "key-" + outTradeNo);
                if (answer.status() == 202) {
                    return answer.text("orderId");
                }
            } catch (RuntimeException unreachable) {
                // the container is down: the same again, later
            }
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        }
    }
}
