package dev.paysaga.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RestockLine;
import dev.paysaga.events.Topics;
import dev.paysaga.saga.EventIds;
import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

/** The whole service, from Kafka to Kafka: what it hears on the topics of others, and what it says on its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class InventoryServiceIT {

    private static final PaymentSaga SAGA = new PaymentSaga();
    private static final List<String> HEARD =
            List.of(Topics.ORDER_EVENTS, Topics.ORDER_COMPENSATIONS, Topics.ACCOUNT_COMPENSATIONS);

    /** Long enough for a loaded machine; what is awaited usually takes milliseconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Map<String, Object> SERVERS = TestServers.properties("inventory");
    private static final ConfluentWire WIRE = wire();

    @Autowired
    private StockStore stock;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcClient jdbc;

    private final String merchant = "m-" + UUID.randomUUID();
    private final UUID order = EventIds.next(System.currentTimeMillis());

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        SERVERS.forEach((name, value) -> registry.add(name, () -> value));
    }

    /** Another test of this service on this broker has another database, and would be told what was left unheard here. */
    @AfterAll
    static void leaveNothingUnheard() {
        await().atMost(DEADLINE)
                .until(() ->
                        KafkaBroker.shared().isHeard(List.of("inventory.forward", "inventory.compensation"), HEARD));
    }

    @Test
    void aPlacedOrderIsReservedThenCommittedThenRestocked() {
        receive("tea", 5);

        publish(placed(2));
        awaitSaid("StockReserved");
        publish(new OrderConfirmed(order, merchant));
        awaitSaid("StockReserved", "StockCommitted");
        publish(new OrderPaid(order, merchant, "T-1", "EUR", 200L, null));
        publish(new RefundCompleted(order, merchant, "F1", "EUR", 100L, List.of(new RestockLine("tea", 1L))));
        awaitSaid("StockReserved", "StockCommitted", "StockRestocked");

        assertThat(shelf("tea")).isEqualTo("4/0");
    }

    @Test
    void anOrderThatFallsShortIsRejectedAndItsCancellationAnswered() {
        receive("tea", 1);

        publish(placed(2));
        awaitSaid("StockRejected");
        publish(new OrderCanceled(order, merchant, "OUT_OF_STOCK"));
        awaitSaid("StockRejected", "StockReleased");

        assertThat(shelf("tea")).isEqualTo("1/0");
    }

    @Test
    void aDeclinedOrderGivesItsUnitsBack() {
        receive("tea", 5);

        publish(placed(2));
        awaitSaid("StockReserved");
        publish(new PaymentDeclined(order, merchant, "INSUFFICIENT_FUNDS"));
        awaitSaid("StockReserved", "StockReleased");

        assertThat(shelf("tea")).isEqualTo("5/0");
    }

    @Test
    void anEventDeliveredAgainChangesNothingAndSaysNothing() {
        receive("tea", 5);
        UUID id = EventIds.next(System.currentTimeMillis());

        publish(id, placed(2));
        publish(id, placed(2));
        publish(new OrderConfirmed(order, merchant));
        awaitSaid("StockReserved", "StockCommitted");

        assertThat(shelf("tea")).isEqualTo("3/0");
    }

    @Test
    void aRequestSentAgainUnderAnotherIdIsAnsweredAgain() {
        receive("tea", 5);

        publish(placed(2));
        publish(placed(2));
        awaitSaid("StockReserved", "StockReserved");

        assertThat(shelf("tea")).isEqualTo("5/2");
    }

    @Test
    void anImpossibleEventIsParkedAndOtherOrdersGoOn() {
        receive("tea", 5);
        UUID stranger = EventIds.next(System.currentTimeMillis());

        publish(new OrderConfirmed(stranger, merchant));
        publish(placed(2));
        awaitSaid("StockReserved");

        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(
                                jdbc.sql("select event_type from parked_events where key = ? and status = 'PARKED'")
                                        .param(stranger.toString())
                                        .query(String.class)
                                        .list())
                        .singleElement()
                        .asString()
                        .endsWith("OrderConfirmed"));
    }

    private void awaitSaid(String... events) {
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(said()).containsExactly(events));
    }

    /** What inventory has said about this order, in the order of its commits. */
    private List<String> said() {
        return jdbc.sql("select event_type from outbox where aggregate_id = ? order by seq")
                .param(order.toString())
                .query((row, number) ->
                        row.getString(1).substring(row.getString(1).lastIndexOf('.') + 1))
                .list();
    }

    private void receive(String sku, long quantity) {
        transaction.executeWithoutResult(status -> stock.receive(merchant, "R1", sku, quantity));
    }

    private String shelf(String sku) {
        var shelf = stock.shelf(merchant, sku).orElseThrow();
        return shelf.onHand() + "/" + shelf.reserved();
    }

    private OrderPlaced placed(long teas) {
        return new OrderPlaced(
                order, merchant, "T-1", "wallet-1", "EUR", teas * 100, List.of(new OrderLine("tea", teas, 100L)));
    }

    private static void publish(SpecificRecord event) {
        publish(EventIds.next(System.currentTimeMillis()), event);
    }

    private static void publish(UUID id, SpecificRecord event) {
        var route = SAGA.route(event);
        var sent = new ProducerRecord<>(route.topic(), route.aggregateId(), WIRE.encode(route.topic(), event));
        Map.of(
                        CloudEventHeaders.ID,
                        id.toString(),
                        CloudEventHeaders.TYPE,
                        event.getSchema().getFullName(),
                        CloudEventHeaders.SOURCE,
                        "test",
                        CloudEventHeaders.SPEC_VERSION,
                        CloudEventHeaders.SPEC_VERSION_1_0)
                .forEach((name, value) -> sent.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", KafkaBroker.shared().bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer())) {
            producer.send(sent);
        }
    }

    private static ConfluentWire wire() {
        KafkaBroker.shared().createTopics(HEARD, 3);
        var wire = ConfluentWire.of(String.valueOf(SERVERS.get("saga.schema-registry-url")));
        wire.register(SAGA, HEARD);
        return wire;
    }
}
