package dev.paysaga.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.StockRestocked;
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

/** The whole service, from Kafka to Kafka: an order that another system requests, and what the other services answer. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class OrderSagaIT {

    private static final PaymentSaga SAGA = new PaymentSaga();
    private static final List<String> HEARD = List.of(
            Topics.ORDER_REQUESTS,
            Topics.INVENTORY_EVENTS,
            Topics.INVENTORY_COMPENSATIONS,
            Topics.ACCOUNT_EVENTS,
            Topics.ACCOUNT_COMPENSATIONS);

    /** Long enough for a loaded machine; what is awaited usually takes milliseconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Map<String, Object> SERVERS = TestServers.properties("order");
    private static final ConfluentWire WIRE = wire();

    @Autowired
    private JdbcClient jdbc;

    private final String merchant = "m-" + UUID.randomUUID();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        SERVERS.forEach((name, value) -> registry.add(name, () -> value));
    }

    /** Another test of this service on this broker has another database, and would be told what was left unheard here. */
    @AfterAll
    static void leaveNothingUnheard() {
        await().atMost(DEADLINE)
                .until(() -> KafkaBroker.shared().isHeard(List.of("order.forward", "order.compensation"), HEARD));
    }

    @Test
    void aRequestedOrderIsPlacedConfirmedPaidAndHeardOfInKafka() {
        UUID order = place();

        publish(new PaymentAuthorized(order, merchant, "EUR", 600L));
        publish(new StockReserved(order, merchant, "w", "EUR", 600L, List.of(new OrderLine("tea", 2L, 300L))));
        awaitSaid(order, "OrderPlaced", "OrderConfirmed");
        publish(new PaymentCaptured(order, merchant, "EUR", 600L));
        publish(new StockCommitted(order, merchant));
        awaitSaid(order, "OrderPlaced", "OrderConfirmed", "OrderPaid");

        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(KafkaBroker.shared().read(List.of(Topics.ORDER_EVENTS)).stream()
                                .filter(record -> record.key().equals(order.toString())))
                        .hasSize(3));
    }

    @Test
    void aDeclinedOrderIsClosedOnceBothHaveAnsweredItsCancellation() {
        UUID order = place();

        publish(new PaymentDeclined(order, merchant, "INSUFFICIENT_FUNDS"));
        publish(new StockReleased(order, merchant, "RELEASED", "PAYMENT_DECLINED"));
        awaitSaid(order, "OrderPlaced", "OrderCanceled");
        publish(new StockReleased(order, merchant, "NOTHING_TO_UNDO", "ORDER_CANCELED"));
        publish(new PaymentVoided(order, merchant, "NOTHING_TO_UNDO"));
        awaitSaid(order, "OrderPlaced", "OrderCanceled", "OrderClosed");
    }

    @Test
    void aRequestThatCannotBeMetIsRejected() {
        publish(requested(0));

        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(said(merchant + "/T-1")).containsExactly("OrderRejected"));
    }

    @Test
    void anImpossibleEventIsParkedAPersonIsToldAndOthersGoOn() {
        UUID stranger = EventIds.next(System.currentTimeMillis());

        publish(new StockCommitted(stranger, merchant));
        publish(new StockRestocked(stranger, merchant, "R1", List.of()));
        UUID order = place();

        awaitSaid(order, "OrderPlaced");
        awaitSaid(stranger, "WorkOrderOpened");
        assertThat(jdbc.sql("select reason from parked_events where key = ?")
                        .param(stranger.toString())
                        .query(String.class)
                        .list())
                .singleElement()
                .asString()
                .contains("StockCommitted cannot follow UNSEEN");
    }

    private UUID place() {
        publish(requested(2));
        return await().atMost(DEADLINE)
                .until(
                        () -> jdbc.sql("select order_id from orders where merchant_id = ?")
                                .param(merchant)
                                .query(UUID.class)
                                .list(),
                        found -> found.size() == 1)
                .getFirst();
    }

    private void awaitSaid(UUID order, String... events) {
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(said(order.toString())).containsExactly(events));
    }

    /** What order has said under this key, in the order of its commits. */
    private List<String> said(String key) {
        return jdbc.sql("select event_type from outbox where aggregate_id = ? order by seq")
                .param(key)
                .query((row, number) ->
                        row.getString(1).substring(row.getString(1).lastIndexOf('.') + 1))
                .list();
    }

    private OrderRequested requested(long teas) {
        return new OrderRequested(merchant, "T-1", "w", "EUR", null, List.of(new OrderLine("tea", teas, 300L)), null);
    }

    private static void publish(SpecificRecord event) {
        var route = SAGA.route(event);
        var sent = new ProducerRecord<>(route.topic(), route.aggregateId(), WIRE.encode(route.topic(), event));
        Map.of(
                        CloudEventHeaders.ID,
                        EventIds.next(System.currentTimeMillis()).toString(),
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
