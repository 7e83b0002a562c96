package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.account.domain.Account;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
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
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
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

/** What operators may rely on in account, on real servers: its metrics, its switches, and that nothing happens twice. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"account.refund-pauses=0s,0s", "account.refund-poll=1d", "account.rollup=1d"})
class OperationsIT {

    /** Long enough for a loaded machine; what is awaited usually takes milliseconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final String[] BUSINESS = {
        "accounts", "transfers", "payments", "payment_refunds", "payment_events", "deposits", "work_orders"
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
        TestServers.properties("account").forEach((name, value) -> registry.add(name, () -> value));
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

    /** One order captured and refunded, one refund suspended and paid out, one voided, one fenced, one declined. */
    private List<ConsumerRecord<byte[], byte[]>> history() throws Exception {
        post("/v1/accounts", "{\"accountId\": \"w\", \"kind\": \"WALLET\", \"currency\": \"EUR\"}");
        post("/v1/accounts", "{\"accountId\": \"t\", \"kind\": \"MERCHANT\", \"currency\": \"EUR\"}");
        post("/v1/accounts/w/deposits", "{\"depositNo\": \"D1\", \"amount\": 1000}");
        UUID captured = newId();
        UUID voided = newId();
        UUID fenced = newId();
        UUID declined = newId();
        hear(
                reserved(captured, 300),
                new OrderConfirmed(captured, merchant),
                refund(captured, "F1", 100),
                reserved(voided, 200),
                new OrderCanceled(voided, merchant, "TIMED_OUT"),
                new OrderCanceled(fenced, merchant, "TIMED_OUT"),
                reserved(fenced, 200),
                reserved(declined, 100_000),
                new OrderCanceled(declined, merchant, "INSUFFICIENT_FUNDS"));
        block();
        hear(refund(captured, "F2", 50));
        while (workOrders(captured).isEmpty()) {
            dueWork.tryDueRefunds();
        }
        hear(new ResolveWorkOrder(
                workOrders(captured).getFirst(), captured, merchant, "PAY_OUT", "F2", 50L, "ops", "by bank", null));
        return heard;
    }

    private StockReserved reserved(UUID order, long amount) {
        return new StockReserved(order, merchant, "w", "EUR", amount, List.of(new OrderLine("tea", 1L, amount)));
    }

    private RefundRequested refund(UUID order, String refundNo, long amount) {
        return new RefundRequested(order, merchant, refundNo, "EUR", amount, null, List.of());
    }

    private List<UUID> workOrders(UUID order) {
        return jdbc.sql("select id from work_orders where aggregate_id = ?")
                .param(order)
                .query(UUID.class)
                .list();
    }

    private void block() {
        jdbc.sql("update accounts set status = 'BLOCKED' where account_key = ?")
                .param(Account.key(merchant, "w"))
                .update();
    }

    private void post(String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + TestTokens.token(merchant, "accounts:write"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(201);
    }

    @Autowired
    private DueWork dueWork;

    @Autowired
    private Clockwork clockwork;

    @Autowired
    private DataSource database;

    @Test
    void whatIsDueIsDoneThoughRequestsHaveTakenEveryOtherConnection() throws Exception {
        history();
        UUID order = newId();
        unblock();
        hear(reserved(order, 100), new OrderConfirmed(order, merchant));
        block();
        hear(refund(order, "F1", 10));

        var taken = new ArrayList<Connection>();
        try {
            for (int i = 0; i < 10; i++) {
                taken.add(database.getConnection());
            }
            clockwork.refunds();
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }

        assertThat(jdbc.sql("select attempts from payment_refunds where order_id = ?")
                        .param(order)
                        .query(Integer.class)
                        .single())
                .isGreaterThan(1);
    }

    private void unblock() {
        jdbc.sql("update accounts set status = 'OPEN' where account_key = ?")
                .param(Account.key(merchant, "w"))
                .update();
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
        assertThat(scrape.values("paysaga_transitions_total", "aggregate")).containsExactly("payment");
        assertThat(scrape.values("paysaga_compensations_total", "step")).containsExactlyInAnyOrder("void", "refund");
        assertThat(scrape.values("paysaga_compensations_total", "outcome"))
                .containsExactlyInAnyOrder("done", "retried", "parked");
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
