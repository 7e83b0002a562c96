package dev.paysaga.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paysaga.console.Differences.Found;
import dev.paysaga.console.Reconciliations.Run;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Four services that state nothing but one shelf, which may be wrong; a real database and broker. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ConsoleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Units on the shelf that nobody has received. */
    private static final AtomicLong SURPLUS = new AtomicLong();

    private static final AtomicBoolean SILENT = new AtomicBoolean();

    @TempDir
    static Path folder;

    private static HttpServer services;

    @Autowired
    private Differences differences;

    @Autowired
    private Reconciliations reconciliations;

    @Autowired
    private WorkOrders workOrders;

    @Autowired
    private JdbcOperations jdbc;

    @LocalServerPort
    private int port;

    private RestTestClient http;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) throws IOException {
        TestServers.properties("console").forEach((name, value) -> registry.add(name, () -> value));
        services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        services.createContext("/", exchange -> {
            boolean allowed =
                    "Bearer of-the-file".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] body = statement(exchange.getRequestURI().toString()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(allowed && !SILENT.get() ? 200 : 500, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        services.start();
        for (String service : List.of("order", "inventory", "account", "notification")) {
            registry.add(
                    "paysaga.reconciliation.services." + service,
                    () -> "http://127.0.0.1:" + services.getAddress().getPort() + "/" + service + "/");
        }
        Path token = Files.writeString(folder.resolve("token"), "of-the-file\n");
        registry.add("paysaga.reconciliation.token-file", token::toString);
        registry.add("paysaga.reconciliation.every", () -> "300ms");
        registry.add("paysaga.reconciliation.poll", () -> "100ms");
        registry.add("paysaga.reconciliation.settling", () -> "1ms");
    }

    private static String statement(String uri) {
        return uri.startsWith("/inventory/") && uri.contains("shelves")
                ? """
                {"shelves":[{"merchantId":"m","sku":"tea","onHand":%d,"reserved":0,"received":10,"committed":0,"restocked":0,
                 "reservedByReservations":0}],"complete":true}""".formatted(10 + SURPLUS.get())
                : "{\"complete\":true}";
    }

    @AfterAll
    static void stop() {
        services.stop(0);
    }

    @BeforeEach
    void connect() {
        http = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
        SILENT.set(false);
        SURPLUS.set(0);
        await(() -> differences.open().isEmpty());
    }

    @Test
    void aDifferenceThatStaysIsAskedAboutOnceAndClosesItselfWhenItIsGone() {
        SURPLUS.set(4);
        await(() -> reported() == 1);
        UUID asked = differences.open().getFirst().id();
        awaitAnother();
        awaitAnother();

        assertThat(differences.open()).singleElement().satisfies(found -> {
            assertThat(found.rule()).isEqualTo("shelf-differs");
            assertThat(found.subject()).isEqualTo("m/tea");
            assertThat(found.amount()).isEqualTo(4);
        });
        assertThat(workOrders.find(asked)).get().satisfies(order -> {
            assertThat(order.kind()).isEqualTo("RECONCILIATION_DIFFERENCE");
            assertThat(order.isOpen()).isTrue();
            assertThat(order.detail()).contains("shelf-differs m/tea: on hand 14", "Off by 4");
        });
        assertThat(announced("WorkOrderOpened", asked)).isEqualTo(1);

        SURPLUS.set(0);
        await(() -> differences.open().isEmpty());

        assertThat(workOrders.find(asked).map(WorkOrder::isOpen)).contains(false);
        assertThat(announced("WorkOrderResolved", asked)).isEqualTo(1);

        SURPLUS.set(4);
        await(() -> reported() == 1);

        assertThat(differences.open().getFirst().id()).as("another one").isNotEqualTo(asked);
    }

    @Test
    void whatAPersonAcceptsIsNotAskedAgainWhileItStays() {
        SURPLUS.set(-3);
        await(() -> reported() == 1);
        UUID asked = differences.open().getFirst().id();

        http.post()
                .uri("/v1/work-orders/" + asked + "/resolution")
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .header("Idempotency-Key", "accept-" + asked)
                .header("Content-Type", "application/json")
                .body("{\"action\":\"WRITE_OFF\",\"note\":\"broken cups\"}")
                .exchange()
                .expectStatus()
                .isOk();
        awaitAnother();

        assertThat(differences.open()).extracting(Found::id).containsExactly(asked);
        assertThat(workOrders.find(asked).map(WorkOrder::isOpen)).contains(false);
    }

    @Test
    void aReconciliationThatCannotReadEverythingReportsAndClosesNothing() {
        SURPLUS.set(2);
        await(() -> reported() == 1);
        List<Found> before = differences.open();

        SILENT.set(true);
        SURPLUS.set(0);
        await(() -> reconciliations.latest().orElseThrow().status().equals("FAILED"));

        assertThat(differences.open()).isEqualTo(before);
        assertThat(reconciliations.latest().orElseThrow().failure()).contains("does not state anything");
    }

    @Test
    void whoAsksForOneGetsOneOfEverything() {
        String location = http.post()
                .uri("/v1/reconciliations")
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .exchange()
                .expectStatus()
                .isAccepted()
                .returnResult(String.class)
                .getResponseHeaders()
                .getFirst("Location");
        UUID id = UUID.fromString(location.substring(location.lastIndexOf('/') + 1));
        await(() -> reconciliations.find(id).orElseThrow().status().equals("DONE"));

        Run run = reconciliations.find(id).orElseThrow();
        assertThat(run.whole()).isTrue();
        assertThat(run.found()).isZero();
        assertThat(run.counts()).containsEntry("orders", 0L);
    }

    @Test
    void nobodyElseAsks() {
        http.get()
                .uri("/v1/reconciliations/latest")
                .header("Authorization", "Bearer " + TestTokens.token("m", "orders:read"))
                .exchange()
                .expectStatus()
                .isForbidden();
    }

    private long reported() {
        return differences.open().stream()
                .filter(found -> found.reportedAt() != null)
                .count();
    }

    private int announced(String type, UUID workOrder) {
        Integer count = jdbc.queryForObject(
                "select count(*)::int from outbox where event_type = ? and headers ->> 'paysaga_causation_id' = ?",
                Integer.class,
                type,
                workOrder.toString());
        return count == null ? 0 : count;
    }

    private void awaitAnother() {
        Instant now = Instant.now();
        await(() -> reconciliations
                .latest()
                .filter(run -> run.status().equals("DONE") && run.requestedAt().isAfter(now))
                .isPresent());
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
