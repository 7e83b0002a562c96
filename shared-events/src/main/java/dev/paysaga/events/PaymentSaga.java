package dev.paysaga.events;

import static dev.paysaga.events.Topics.ACCOUNT_COMPENSATIONS;
import static dev.paysaga.events.Topics.ACCOUNT_EVENTS;
import static dev.paysaga.events.Topics.INVENTORY_COMPENSATIONS;
import static dev.paysaga.events.Topics.INVENTORY_EVENTS;
import static dev.paysaga.events.Topics.OPS_COMMANDS;
import static dev.paysaga.events.Topics.OPS_EVENTS;
import static dev.paysaga.events.Topics.ORDER_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_EVENTS;
import static dev.paysaga.events.Topics.ORDER_REQUESTS;

import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import dev.paysaga.wire.Operations;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** Which event goes to which topic. The order id is the key of every event of a saga. */
public final class PaymentSaga implements EventCatalog {

    /** Header with the merchant an event belongs to. */
    public static final String MERCHANT_HEADER = "paysaga_merchant_id";

    private static final Map<String, List<Schema>> SCHEMAS = Map.of(
            ORDER_REQUESTS, List.of(OrderRequested.getClassSchema()),
            ORDER_EVENTS,
                    List.of(
                            OrderRejected.getClassSchema(),
                            OrderPlaced.getClassSchema(),
                            OrderConfirmed.getClassSchema(),
                            OrderPaid.getClassSchema(),
                            OrderClosed.getClassSchema(),
                            OrderRefunded.getClassSchema(),
                            OrderRefundFailed.getClassSchema()),
            ORDER_COMPENSATIONS, List.of(OrderCanceled.getClassSchema(), RefundRequested.getClassSchema()),
            INVENTORY_EVENTS,
                    List.of(
                            StockReserved.getClassSchema(),
                            StockRejected.getClassSchema(),
                            StockCommitted.getClassSchema()),
            INVENTORY_COMPENSATIONS, List.of(StockReleased.getClassSchema(), StockRestocked.getClassSchema()),
            ACCOUNT_EVENTS, List.of(PaymentAuthorized.getClassSchema(), PaymentCaptured.getClassSchema()),
            ACCOUNT_COMPENSATIONS,
                    List.of(
                            PaymentDeclined.getClassSchema(),
                            PaymentVoided.getClassSchema(),
                            RefundCompleted.getClassSchema(),
                            RefundFailed.getClassSchema(),
                            RefundSuspended.getClassSchema()),
            OPS_COMMANDS, List.of(ResolveWorkOrder.getClassSchema(), PostToSuspense.getClassSchema()),
            OPS_EVENTS,
                    List.of(
                            WorkOrderOpened.getClassSchema(),
                            WorkOrderResolved.getClassSchema(),
                            SagaStuck.getClassSchema(),
                            EventParked.getClassSchema()));

    private static final Map<String, String> TOPIC_OF = topicByEvent();

    @Override
    public EventRoute route(SpecificRecord event) {
        String topic = TOPIC_OF.get(event.getSchema().getFullName());
        if (topic == null) {
            throw new IllegalArgumentException(
                    event.getSchema().getFullName() + " is not an event of the payment saga");
        }
        return switch (event) {
            case OrderRequested e -> orderNumber(topic, e.getMerchantId(), e.getOutTradeNo());
            case OrderRejected e -> orderNumber(topic, e.getMerchantId(), e.getOutTradeNo());
            case EventParked e ->
                new EventRoute(topic, "parked-event", e.getParkedEventId().toString(), Map.of());
            default ->
                new EventRoute(
                        topic,
                        "order",
                        field(event, "orderId").toString(),
                        Map.of(MERCHANT_HEADER, field(event, "merchantId").toString()));
        };
    }

    @Override
    public Collection<Schema> schemasOf(String topic) {
        return SCHEMAS.getOrDefault(topic, List.of());
    }

    @Override
    public Operations operations() {
        return PaymentOperations.WORDS;
    }

    /** Every topic of the saga. */
    public static Collection<String> topics() {
        return SCHEMAS.keySet();
    }

    private static EventRoute orderNumber(String topic, String merchantId, String outTradeNo) {
        return new EventRoute(
                topic, "order-number", merchantId + "/" + outTradeNo, Map.of(MERCHANT_HEADER, merchantId));
    }

    private static Object field(SpecificRecord event, String name) {
        return event.get(event.getSchema().getField(name).pos());
    }

    private static Map<String, String> topicByEvent() {
        var topics = new java.util.HashMap<String, String>();
        SCHEMAS.forEach((topic, schemas) -> schemas.forEach(schema -> topics.put(schema.getFullName(), topic)));
        return Map.copyOf(topics);
    }
}
