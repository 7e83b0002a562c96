package dev.paysaga.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
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

/** What operators may rely on in order, on real servers: its metrics, its switches, and that nothing happens twice. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class OperationsIT {

    /** Long enough for a loaded machine; what is awaited usually takes milliseconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final String[] BUSINESS = {"orders", "refunds", "order_events", "refund_events", "work_orders"};

    @Autowired
    private Reactor<?> reactor;

    @Autowired
    private ConfluentWire wire;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private OrderDesk desk;

    @LocalServerPort
    private int port;

    @LocalManagementPort
    private int managementPort;

    private final String merchant = "m-" + UUID.randomUUID();
    private final HttpClient http = HttpClient.newHttpClient();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("order").forEach((name, value) -> registry.add(name, () -> value));
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

    /** One order paid and partly refunded, one canceled. */
    private List<ConsumerRecord<byte[], byte[]>> history() throws Exception {
        hear(requested("K-1"), requested("K-2"));
        UUID paid = orderId("K-1");
        UUID canceled = orderId("K-2");
        hear(
                new StockReserved(paid, merchant, "w", "EUR", 600L, List.of(new OrderLine("tea", 2L, 300L))),
                new PaymentAuthorized(paid, merchant, "EUR", 600L),
                new StockCommitted(paid, merchant),
                new PaymentCaptured(paid, merchant, "EUR", 600L),
                new StockRejected(canceled, merchant, "OUT_OF_STOCK", "tea"),
                new StockReleased(canceled, merchant, "NOTHING_TO_UNDO", "ORDER_CANCELED"),
                new PaymentVoided(canceled, merchant, "REFUSED_IN_ADVANCE"));
        refund(paid);
        hear(new RefundCompleted(paid, merchant, "R1", "EUR", 100L, List.of()));
        return heard;
    }

    private OrderRequested requested(String outTradeNo) {
        return new OrderRequested(
                merchant, outTradeNo, "w", "EUR", null, List.of(new OrderLine("tea", 2L, 300L)), null);
    }

    private UUID orderId(String outTradeNo) {
        return jdbc.sql("select order_id from orders where merchant_id = ? and out_trade_no = ?")
                .params(merchant, outTradeNo)
                .query(UUID.class)
                .single();
    }

    private void refund(UUID order) throws Exception {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/v1/orders/" + order + "/refunds"))
                .header("Authorization", "Bearer " + TestTokens.token(merchant, "orders:write"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString("{\"refundNo\": \"R1\", \"amount\": 100}"))
                .build();
        assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(202);
    }

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
        assertThat(scrape.names("paysaga_"))
                .contains(
                        "paysaga_transitions_total",
                        "paysaga_saga_duration_seconds_bucket",
                        "paysaga_saga_in_flight",
                        "paysaga_saga_stuck");
        assertThat(scrape.values("paysaga_transitions_total", "aggregate")).containsExactly("order");
        assertThat(scrape.values("paysaga_transitions_total", "to")).contains("CONFIRMED", "PAID", "CANCELED");
        assertThat(scrape.values("paysaga_saga_in_flight", "state"))
                .containsExactlyInAnyOrder("CREATED", "STOCK_RESERVED", "CONFIRMED", "CANCELING", "REFUNDING");
        assertThat(scrape.values("paysaga_saga_stuck", "state")).contains("CONFIRMED", "CANCELING", "REFUNDING");
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
        reactor.handle(List.of(record(newId(), new StockCommitted(stranger, merchant))));

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

    @Test
    void aSkippedEventsWorkOrderClosesItselfOnceItsOrderIsSettled() throws Exception {
        UUID order = confirmed("S-1");
        UUID event = parked(order, new PaymentCaptured(order, merchant, "EUR", 1L));
        UUID work = workOrder(order);
        hear(new StockCommitted(order, merchant));

        desk.closeSkipped();
        assertThat(answer(work)).as("the event waits").isEqualTo("OPEN null");
        assertThat(post("/v1/parked-events/" + event + "/skip", null)).startsWith("200");
        desk.closeSkipped();
        assertThat(answer(work)).as("the order is not paid").isEqualTo("OPEN null");

        hear(new PaymentCaptured(order, merchant, "EUR", 600L));
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(answer(work)).isEqualTo("RESOLVED SETTLED"));
        assertThat(jdbc.sql("select count(*) from outbox where aggregate_id = ? and event_type = 'WorkOrderResolved'")
                        .param(order.toString())
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void aCommandAboutAParkedEventIsCheckedLikeTheSameWishOverHttp() throws Exception {
        UUID order = confirmed("S-2");
        UUID event = parked(order, new PaymentCaptured(order, merchant, "EUR", 1L));
        UUID work = workOrder(order);
        String wish = "{\"action\": \"WRITE_OFF\"}";
        assertThat(post("/v1/work-orders/" + work + "/resolution", wish)).startsWith("409");

        UUID command =
                parked(order, new ResolveWorkOrder(work, order, merchant, "WRITE_OFF", null, null, "ops", null, null));
        assertThat(answer(work)).as("its event waits").isEqualTo("OPEN null");

        assertThat(post("/v1/parked-events/" + event + "/skip", null)).startsWith("200");
        assertThat(post("/v1/parked-events/" + command + "/redrive", null)).startsWith("200");
        assertThat(answer(work)).isEqualTo("RESOLVED WRITE_OFF");
    }

    private UUID confirmed(String outTradeNo) {
        hear(requested(outTradeNo));
        UUID order = orderId(outTradeNo);
        hear(
                new StockReserved(order, merchant, "w", "EUR", 600L, List.of(new OrderLine("tea", 2L, 300L))),
                new PaymentAuthorized(order, merchant, "EUR", 600L));
        return order;
    }

    /** The id of the parked event that this event becomes. */
    private UUID parked(UUID order, SpecificRecord event) {
        hear(event);
        return jdbc.sql("select id from parked_events where key = ? and event_type like '%' || ? and status = 'PARKED'")
                .params(order.toString(), event.getSchema().getName())
                .query(UUID.class)
                .single();
    }

    private UUID workOrder(UUID order) {
        return jdbc.sql("select id from work_orders where aggregate_id = ? and kind = 'EVENT_PARKED'")
                .param(order)
                .query(UUID.class)
                .single();
    }

    private String answer(UUID workOrder) {
        return jdbc.sql("select status || ' ' || coalesce(action, 'null') from work_orders where id = ?")
                .param(workOrder)
                .query(String.class)
                .single();
    }

    private String post(String path, @Nullable String body) throws Exception {
        return send(port, "POST", path, body);
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
        return send(to, method, path, null);
    }

    private String send(int to, String method, String path, @Nullable String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to + path))
                .timeout(DEADLINE)
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
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
