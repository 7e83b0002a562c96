package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Account.Kind;
import dev.paysaga.account.domain.Account.Status;
import dev.paysaga.account.domain.Transfer;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.Topics;
import dev.paysaga.saga.EventIds;
import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/** The whole service, from Kafka to its outbox, with its clockwork running. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"account.refund-pauses=100ms,100ms", "account.refund-poll=50ms", "account.rollup=50ms"})
class AccountServiceIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final PaymentSaga SAGA = new PaymentSaga();
    private static final List<String> TOPICS =
            List.of(Topics.INVENTORY_EVENTS, Topics.ORDER_EVENTS, Topics.ORDER_COMPENSATIONS, Topics.OPS_COMMANDS);
    private static final Map<String, Object> PROPERTIES = TestServers.properties("account");
    private static final ConfluentWire WIRE = wire();

    @Autowired
    private AccountStore accounts;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcClient jdbc;

    private final String merchant = "m-" + UUID.randomUUID();
    private final UUID order = EventIds.next(System.currentTimeMillis());
    private final List<ProducerRecord<String, byte[]>> sent = new ArrayList<>();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        PROPERTIES.forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void openAccounts() {
        transaction.executeWithoutResult(status -> {
            Account wallet = Account.open(merchant, "w", Kind.WALLET, "EUR");
            accounts.create(wallet);
            accounts.create(Account.open(merchant, "t", Kind.MERCHANT, "EUR"));
            accounts.post(wallet, Transfer.deposit(wallet, "D1", 50));
        });
    }

    /** Another test of this service on this broker has another database, and would be told what was left unheard here. */
    @AfterAll
    static void leaveNothingUnheard() {
        await().atMost(PATIENCE)
                .until(() -> KafkaBroker.shared().isHeard(List.of("account.forward", "account.compensation"), TOPICS));
    }

    @Test
    void anOrderIsHeldCapturedRefundedAndHeardAgainInVain() {
        publish(reserved());
        awaitSaid("PaymentAuthorized");
        publish(new OrderConfirmed(order, merchant));
        awaitSaid("PaymentAuthorized", "PaymentCaptured");
        publish(refund("R1", 30));
        awaitSaid("PaymentAuthorized", "PaymentCaptured", "RefundCompleted");
        assertThat(ledger()).containsExactly("HOLD", "CAPTURE", "REFUND");

        jdbc.sql("delete from inbox").update(); // and the consumers are set back to the beginning
        List.copyOf(sent).forEach(AccountServiceIT::send);

        awaitSaid("PaymentAuthorized", "PaymentCaptured", "RefundCompleted", "PaymentCaptured", "RefundCompleted");
        assertThat(ledger()).containsExactly("HOLD", "CAPTURE", "REFUND");
        assertThat(wallet()).isEqualTo("50/0");
    }

    @Test
    void aRefundNobodyTakesIsTriedThreeTimesThenAPersonHasItPaid() {
        publish(reserved());
        awaitSaid("PaymentAuthorized");
        publish(new OrderConfirmed(order, merchant));
        awaitSaid("PaymentAuthorized", "PaymentCaptured");
        setStatus(Status.BLOCKED);

        publish(refund("R1", 30));
        awaitSaid("PaymentAuthorized", "PaymentCaptured", "RefundSuspended", "WorkOrderOpened");
        assertThat(ledger()).containsExactly("HOLD", "CAPTURE", "SUSPEND");

        setStatus(Status.OPEN);
        UUID workOrder = WorkItem.idOf(WorkItem.Kind.REFUND_SUSPENDED, order, "R1");
        publish(new ResolveWorkOrder(workOrder, order, merchant, "RETRY", "R1", 30L, "ops", null, null));
        awaitSaid(
                "PaymentAuthorized",
                "PaymentCaptured",
                "RefundSuspended",
                "WorkOrderOpened",
                "RefundCompleted",
                "WorkOrderResolved");
        assertThat(ledger()).containsExactly("HOLD", "CAPTURE", "SUSPEND", "PAY_OUT");
        assertThat(wallet()).isEqualTo("50/0");
    }

    @Test
    void whatCannotFollowIsParkedAndOtherOrdersGoOn() {
        UUID stranger = EventIds.next(System.currentTimeMillis());
        publish(new OrderConfirmed(stranger, merchant));
        publish(reserved());
        awaitSaid("PaymentAuthorized");
        publish(new OrderCanceled(order, merchant, "TIMED_OUT"));
        awaitSaid("PaymentAuthorized", "PaymentVoided");
        await().atMost(PATIENCE)
                .until(() -> jdbc.sql("select count(*) from parked_events where key = ? and status = 'PARKED'")
                                .param(stranger.toString())
                                .query(Integer.class)
                                .single()
                        == 1);
    }

    private StockReserved reserved() {
        return new StockReserved(order, merchant, "w", "EUR", 30L, List.of(new OrderLine("tea", 1L, 30L)));
    }

    private RefundRequested refund(String refundNo, long amount) {
        return new RefundRequested(order, merchant, refundNo, "EUR", amount, null, List.of());
    }

    private void setStatus(Status next) {
        transaction.executeWithoutResult(
                status -> accounts.change(accounts.lock(merchant + "/w").orElseThrow(), next, "somebody"));
    }

    /** In any order: the lanes run beside each other. */
    private void awaitSaid(String... events) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(said()).containsExactlyInAnyOrder(events));
    }

    private List<String> said() {
        return jdbc
                .sql("select event_type from outbox where aggregate_id = ? order by seq")
                .param(order.toString())
                .query(String.class)
                .list()
                .stream()
                .map(type -> type.substring(type.lastIndexOf('.') + 1))
                .toList();
    }

    private List<String> ledger() {
        return jdbc.sql("select kind from transfers where order_id = ? order by seq")
                .param(order)
                .query(String.class)
                .list();
    }

    private String wallet() {
        return jdbc.sql("select posted || '/' || held from accounts where account_key = ?")
                .param(merchant + "/w")
                .query(String.class)
                .single();
    }

    private void publish(SpecificRecord event) {
        var route = SAGA.route(event);
        var message = new ProducerRecord<>(route.topic(), route.aggregateId(), WIRE.encode(route.topic(), event));
        var headers = Map.of(
                CloudEventHeaders.ID,
                EventIds.next(System.currentTimeMillis()).toString(),
                CloudEventHeaders.TYPE,
                event.getSchema().getFullName(),
                CloudEventHeaders.SOURCE,
                "somebody",
                CloudEventHeaders.SPEC_VERSION,
                CloudEventHeaders.SPEC_VERSION_1_0);
        headers.forEach((name, value) -> message.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        sent.add(message);
        send(message);
    }

    private static void send(ProducerRecord<String, byte[]> message) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", KafkaBroker.shared().bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            producer.send(
                    new ProducerRecord<>(message.topic(), null, message.key(), message.value(), message.headers()));
        }
    }

    private static ConfluentWire wire() {
        KafkaBroker.shared().createTopics(TOPICS, 3);
        var wire = ConfluentWire.of(String.valueOf(PROPERTIES.get("saga.schema-registry-url")));
        wire.register(SAGA, TOPICS);
        return wire;
    }
}
