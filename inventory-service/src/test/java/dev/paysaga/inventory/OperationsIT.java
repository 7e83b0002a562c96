package dev.paysaga.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RestockLine;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.inbox.Reactor;
import dev.paysaga.testkit.Records;
import dev.paysaga.testkit.Scrape;
import dev.paysaga.testkit.Tables;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.wire.ConfluentWire;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators may rely on in inventory, on real servers: its metrics, its switches, and that nothing happens twice. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class OperationsIT {

    /** Long enough for a loaded machine; what is awaited usually takes milliseconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final String[] BUSINESS = {
        "shelves", "stock_receipts", "reservations", "restocks", "reservation_events", "work_orders"
    };

    @Autowired
    private Reactor<?> reactor;

    @Autowired
    private ConfluentWire wire;

    @Autowired
    private JdbcClient jdbc;

    @LocalServerPort
    private int port;

    @LocalManagementPort
    private int managementPort;

    private final String merchant = "m-" + UUID.randomUUID();
    private final HttpClient http = HttpClient.newHttpClient();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("inventory").forEach((name, value) -> registry.add(name, () -> value));
    }

    @Test
    void topicsReadAgainFromTheBeginningAfterTheInboxWasPurgedChangeNothing() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> topics = history();
        var before = Tables.rows(jdbc, BUSINESS);
        Set<UUID> announced = announced();

        purgeTheInbox();
        reactor.handle(topics);
        assertThat(Tables.rows(jdbc, BUSINESS)).isEqualTo(before);
        purgeTheInbox();
        reactor.handle(topics.reversed());

        assertThat(Tables.rows(jdbc, BUSINESS)).isEqualTo(before);
        assertThat(saidBesides(announced))
                .as("what is said again has the same ids; what is said anew are answers that change nothing any more")
                .isSubsetOf("StockRejected", "PaymentDeclined", "RefundCompleted");
        assertThat(jdbc.sql("select reason from parked_events where closed_at is null")
                        .query(String.class)
                        .list())
                .isEmpty();
    }

    /** One order paid and restocked, one declined, one canceled, one canceled before it was seen, one short. */
    private List<ConsumerRecord<byte[], byte[]>> history() {
        transaction.executeWithoutResult(status -> stock.receive(merchant, "R1", "tea", 20));
        UUID paid = newId();
        UUID declined = newId();
        UUID canceled = newId();
        UUID fenced = newId();
        UUID rejected = newId();
        hear(
                placed(paid, 2),
                new OrderConfirmed(paid, merchant),
                new RefundCompleted(paid, merchant, "F1", "EUR", 100L, List.of(new RestockLine("tea", 1L))),
                placed(declined, 3),
                new PaymentDeclined(declined, merchant, "INSUFFICIENT_FUNDS"),
                new OrderCanceled(declined, merchant, "INSUFFICIENT_FUNDS"),
                placed(canceled, 4),
                new OrderCanceled(canceled, merchant, "TIMED_OUT"),
                new OrderCanceled(fenced, merchant, "TIMED_OUT"),
                placed(fenced, 5),
                placed(rejected, 99),
                new OrderCanceled(rejected, merchant, "OUT_OF_STOCK"));
        return heard;
    }

    private OrderPlaced placed(UUID order, long teas) {
        return new OrderPlaced(
                order, merchant, "T-" + order, "w", "EUR", teas * 100, List.of(new OrderLine("tea", teas, 100L)));
    }

    @Autowired
    private StockStore stock;

    @Autowired
    private TransactionTemplate transaction;

    @Test
    void everyMetricOfTheContractIsThere() throws Exception {
        history();

        Scrape scrape = Scrape.of(managementPort);

        assertThat(scrape.names("paysaga_"))
                .contains(
                        "paysaga_idempotency_requests_total",
                        "paysaga_idempotency_hit_ratio",
                        "paysaga_outbox_lag_seconds",
                        "paysaga_outbox_slot_retained_bytes",
                        "paysaga_outbox_published_total",
                        "paysaga_relay_leader",
                        "paysaga_inbox_events_total",
                        "paysaga_transition_refused_total",
                        "paysaga_work_orders_open");
        assertThat(scrape.values("paysaga_idempotency_requests_total", "outcome"))
                .containsExactlyInAnyOrder("first", "replayed", "in_progress", "mismatch", "takeover");
        assertThat(scrape.values("paysaga_inbox_events_total", "outcome"))
                .containsExactlyInAnyOrder("applied", "duplicate", "parked", "ignored");
        assertThat(scrape.values("paysaga_transitions_total", "aggregate")).containsExactly("reservation");
        assertThat(scrape.values("paysaga_compensations_total", "step"))
                .containsExactlyInAnyOrder("release", "restock");
        assertThat(scrape.values("paysaga_compensations_total", "outcome")).contains("done");
    }

    @Test
    void theLimitOfCompensationsCanBeLiftedToDrainWhatHasPiledUp() throws Exception {
        String shut = "{\"eventsPerSecond\":200,\"draining\":false}";
        assertThat(compensations("GET", "")).isEqualTo("200 " + shut);

        assertThat(compensations("POST", "?drain=true")).startsWith("204");
        assertThat(compensations("GET", "")).isEqualTo("200 " + shut.replace("false", "true"));
        assertThat(compensations("POST", "?drain=false")).startsWith("204");
        assertThat(compensations("GET", "")).isEqualTo("200 " + shut);
    }

    /** Also that its topic is there: one row for a missing topic would hold up all that come after. */
    @Test
    void aParkedEventIsToldToTheWorldAndRelayed() {
        UUID stranger = newId();
        reactor.handle(List.of(record(newId(), new OrderConfirmed(stranger, merchant))));

        UUID parked = jdbc.sql("select id from parked_events where key = ?")
                .param(stranger.toString())
                .query(UUID.class)
                .single();
        assertThat(jdbc.sql("select topic || ' ' || event_type from outbox where aggregate_id in (?, ?) order by seq")
                        .params(parked.toString(), stranger.toString())
                        .query(String.class)
                        .list())
                .containsExactly("ops.events EventParked", "ops.events WorkOrderOpened");
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(send(port, "GET", "/v1/statement?sections=workOrders"))
                        .contains("\"outboxPending\":0"));
        jdbc.sql("delete from parked_events where id = ?").param(parked).update();
    }

    private void purgeTheInbox() {
        jdbc.sql("delete from inbox").update();
    }

    private Set<UUID> announced() {
        return jdbc.sql("select id from outbox").query(UUID.class).set();
    }

    private Set<String> saidBesides(Set<UUID> known) {
        return jdbc.sql("select event_type from outbox where id <> all(?)")
                .param(known.toArray(UUID[]::new))
                .query(String.class)
                .set();
    }

    private String compensations(String method, String query) throws Exception {
        return send(managementPort, method, "/actuator/compensations" + query);
    }

    private String send(int to, String method, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to + path))
                .timeout(DEADLINE)
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private final List<ConsumerRecord<byte[], byte[]>> heard = new ArrayList<>();
    private @Nullable Records records;

    private ConsumerRecord<byte[], byte[]> record(UUID id, SpecificRecord event) {
        if (records == null) {
            records = new Records(wire, new PaymentSaga());
        }
        return records.of(id, event);
    }

    private void hear(SpecificRecord... events) {
        for (SpecificRecord event : events) {
            var received = record(newId(), event);
            heard.add(received);
            reactor.handle(List.of(received));
        }
    }

    private static UUID newId() {
        return EventIds.next(System.currentTimeMillis());
    }
}
