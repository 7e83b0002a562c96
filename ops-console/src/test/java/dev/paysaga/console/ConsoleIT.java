package dev.paysaga.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paysaga.console.Differences.Found;
import dev.paysaga.console.Reconciliations.Run;
import dev.paysaga.reconciliation.Published;
import dev.paysaga.saga.EventIds;
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
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
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
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** Four services that state nothing but one shelf and one wallet, which may be wrong; a real database and broker. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ConsoleIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Units on the shelf that nobody has received. */
    private static final AtomicLong SURPLUS = new AtomicLong();

    /** Cents in the wallet that nobody has paid. */
    private static final AtomicLong WINDFALL = new AtomicLong();

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
    private RecordedEvents recorded;

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
        if (uri.startsWith("/account/") && uri.contains("accounts") && WINDFALL.get() != 0) {
            return """
                    {"accounts":[{"accountKey":"m/w","merchantId":"m","kind":"WALLET","currency":"EUR","posted":%d,"held":0,
                     "postedByTransfers":0,"heldByTransfers":0,"rolledUp":0,"rolledUpByTransfers":0}],"complete":true}""".formatted(WINDFALL.get());
        }
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
        WINDFALL.set(0);
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

        decide(asked, "{'action':'WRITE_OFF','note':'broken cups'}")
                .expectStatus()
                .isOk();
        awaitAnother();

        assertThat(differences.open()).extracting(Found::id).containsExactly(asked);
        assertThat(workOrders.find(asked).map(WorkOrder::isOpen)).contains(false);
    }

    @Test
    void aDifferenceThatChangesAfterItWasDecidedIsAskedAboutAnew() {
        SURPLUS.set(3);
        await(() -> reported() == 1);
        UUID asked = differences.open().getFirst().id();
        decide(asked, "{'action':'WRITE_OFF','note':'counted twice'}")
                .expectStatus()
                .isOk();

        SURPLUS.set(1_003);
        await(() ->
                differences.open().stream().anyMatch(found -> !found.id().equals(asked) && found.reportedAt() != null));

        assertThat(differences.open()).singleElement().satisfies(found -> {
            assertThat(found.amount()).isEqualTo(1_003);
            assertThat(workOrders.find(found.id())).get().satisfies(order -> {
                assertThat(order.isOpen()).isTrue();
                assertThat(order.detail()).contains("Off by 1003");
            });
        });
    }

    @Test
    void aDifferenceThatChangesBeforeItIsDecidedKeepsItsQuestionAndTellsTheNewAmount() {
        SURPLUS.set(-3);
        await(() -> reported() == 1);
        UUID asked = differences.open().getFirst().id();

        SURPLUS.set(-5);
        awaitAnother();

        assertThat(differences.open()).extracting(Found::id).containsExactly(asked);
        assertThat(workOrders.find(asked)).get().satisfies(order -> {
            assertThat(order.isOpen()).isTrue();
            assertThat(order.detail()).contains("on hand 5", "Off by -5").doesNotContain("Off by -3");
        });
        assertThat(announced("WorkOrderOpened", asked)).isEqualTo(1);
    }

    @Test
    void whatHasBeenGoneForLongIsForgottenAndItsWorkOrderIsNot() {
        SURPLUS.set(4);
        await(() -> reported() == 1);
        UUID old = differences.open().getFirst().id();
        SURPLUS.set(0);
        await(() -> differences.open().isEmpty());
        SURPLUS.set(4);
        await(() -> reported() == 1);
        UUID there = differences.open().getFirst().id();
        SURPLUS.set(0);
        await(() -> differences.open().isEmpty());
        jdbc.update("update differences set gone_at = now() - interval '31 days' where id = ?", old);

        differences.forget();

        assertThat(differences.find(old)).isEmpty();
        assertThat(differences.find(there)).isPresent();
        assertThat(workOrders.find(old)).isPresent();
    }

    @Test
    void whatAPersonPostsIsCommandedOnceOfTheOwnerOfTheLedgerAndClosesTheQuestion() {
        WINDFALL.set(50);
        await(() -> reported() == 1);
        Found found = differences.open().getFirst();
        UUID asked = found.id();
        assertThat(workOrders.find(asked).orElseThrow().detail()).contains("Off by 50 EUR", "POST_TO_SUSPENSE");

        String posting =
                "{'action':'POST_TO_SUSPENSE','account':'m/w','currency':'EUR','amount':50,'note':'whose is it?'}";
        decide(asked, posting)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.action")
                .isEqualTo("POST_TO_SUSPENSE")
                .jsonPath("$.status")
                .isEqualTo("RESOLVED");
        decide(asked, posting).expectStatus().isOk();
        decide(asked, "{'action':'WRITE_OFF'}").expectStatus().isEqualTo(409);
        awaitAnother();

        assertThat(announcedAbout(found))
                .containsExactly(
                        "ops.events WorkOrderOpened", "ops.commands PostToSuspense", "ops.events WorkOrderResolved");
        assertThat(differences.open()).extracting(Found::id).as("asked once").containsExactly(asked);
        await(() -> published("PostToSuspense", found.about()) == 1);
        // Of these events alone: the broker is shared with tests that ask about sagas of long ago.
        assertThat(jdbc.queryForList(
                        "select event_id from published_events where key = ?",
                        UUID.class,
                        found.about().toString()))
                .as("no saga seems to have begun at the epoch")
                .isNotEmpty()
                .allSatisfy(event -> assertThat(Instant.ofEpochMilli(event.getMostSignificantBits() >>> 16))
                        .isAfter(found.firstSeenAt().minus(Duration.ofDays(1))));
    }

    @Test
    void whatCannotBePostedIsRefusedAndTheQuestionStaysOpen() {
        WINDFALL.set(-7);
        SURPLUS.set(4);
        await(() -> reported() == 2);
        Found money = open("balance-differs-from-ledger");
        Found units = open("shelf-differs");

        decide(money.id(), "{'action':'POST_TO_SUSPENSE','account':'m/w','currency':'USD','amount':-7}")
                .expectStatus()
                .isEqualTo(422);
        decide(money.id(), "{'action':'PAY_OUT'}").expectStatus().isEqualTo(422);
        decide(units.id(), "{'action':'POST_TO_SUSPENSE','account':'m/w','currency':'EUR','amount':4}")
                .expectStatus()
                .isEqualTo(422);
        for (String wrong : List.of(
                "'account':'m/w','currency':'EUR','amount':0",
                "'account':'m/w','currency':'EUR'",
                "'account':'m/w','amount':-7",
                "'account':'w','currency':'EUR','amount':-7",
                "'currency':'EUR','amount':-7",
                "'account':'m/w','side':'PAYER','currency':'EUR','amount':-7",
                "'side':'NEITHER','currency':'EUR','amount':-7")) {
            decide(money.id(), "{'action':'POST_TO_SUSPENSE'," + wrong + "}")
                    .expectStatus()
                    .isBadRequest();
        }

        assertThat(workOrders.find(money.id()).map(WorkOrder::isOpen)).contains(true);
        assertThat(workOrders.find(units.id()).map(WorkOrder::isOpen)).contains(true);
        assertThat(announcedAbout(money)).containsExactly("ops.events WorkOrderOpened");
    }

    @Test
    void whatWasRecordedLongAgoIsForgottenAndWhatHasJustComeAboutAnOldSagaIsNot() {
        Instant longAgo = Instant.now().minus(Duration.ofDays(40));
        Published old = elsewhere(longAgo);
        Published late = elsewhere(longAgo);
        recorded.record(List.of(old, late));
        jdbc.update(
                "update published_events set recorded_at = now() - interval '31 days' where event_id = ?", old.id());

        recorded.forget();

        assertThat(jdbc.queryForList(
                        "select event_id from published_events where event_id in (?, ?)",
                        UUID.class,
                        old.id(),
                        late.id()))
                .containsExactly(late.id());
        jdbc.update("delete from published_events where event_id = ?", late.id());
    }

    /** Of nobody who is asked what he has written down. */
    private static Published elsewhere(Instant time) {
        return new Published(
                EventIds.next(time.toEpochMilli()),
                new TopicPartition("ops.events", 0),
                0,
                "k",
                "Something",
                "/elsewhere",
                time);
    }

    private ResponseSpec decide(UUID workOrder, String decision) {
        return http.post()
                .uri("/v1/work-orders/" + workOrder + "/resolution")
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .header("Content-Type", "application/json")
                .body(decision.replace('\'', '"'))
                .exchange();
    }

    private Found open(String rule) {
        return differences.open().stream()
                .filter(found -> found.rule().equals(rule))
                .findFirst()
                .orElseThrow();
    }

    /** Since this difference was found. */
    private List<String> announcedAbout(Found found) {
        return jdbc.queryForList(
                "select topic || ' ' || event_type from outbox where aggregate_id = ? and created_at >= ? order by seq",
                String.class,
                found.about().toString(),
                found.firstSeenAt().atOffset(ZoneOffset.UTC));
    }

    private int published(String type, UUID key) {
        Integer count = jdbc.queryForObject(
                "select count(*)::int from published_events where topic = 'ops.commands' and type = ? and key = ?",
                Integer.class,
                type,
                key.toString());
        return count == null ? 0 : count;
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
