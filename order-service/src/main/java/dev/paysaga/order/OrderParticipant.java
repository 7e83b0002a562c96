package dev.paysaga.order;

import static dev.paysaga.events.Topics.ACCOUNT_COMPENSATIONS;
import static dev.paysaga.events.Topics.ACCOUNT_EVENTS;
import static dev.paysaga.events.Topics.INVENTORY_COMPENSATIONS;
import static dev.paysaga.events.Topics.INVENTORY_EVENTS;
import static dev.paysaga.events.Topics.OPS_COMMANDS;
import static dev.paysaga.events.Topics.ORDER_REQUESTS;

import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundFailed;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.order.LockedOrders.Number;
import dev.paysaga.order.domain.Checked.Invalid;
import dev.paysaga.order.domain.Checked.Valid;
import dev.paysaga.order.domain.Decision;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.OrderRequest;
import dev.paysaga.order.domain.Outcome;
import dev.paysaga.order.domain.Question;
import dev.paysaga.order.domain.Reactions;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.inbox.Lane;
import dev.paysaga.saga.inbox.Participant;
import dev.paysaga.saga.inbox.ReceivedEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.springframework.stereotype.Component;

/** What order hears. What it does about it is in {@link Reactions}. */
@Component
final class OrderParticipant implements Participant<LockedOrders> {

    /** Other events in these topics, such as StockRestocked, mean nothing to an order. */
    private static final Set<Class<? extends SpecificRecord>> HEARD = Set.of(
            OrderRequested.class,
            StockReserved.class,
            StockRejected.class,
            StockCommitted.class,
            StockReleased.class,
            PaymentAuthorized.class,
            PaymentDeclined.class,
            PaymentCaptured.class,
            PaymentVoided.class,
            RefundCompleted.class,
            RefundFailed.class,
            RefundSuspended.class,
            ResolveWorkOrder.class);

    private final OrderStore store;
    private final OrderDesk desk;

    OrderParticipant(OrderStore store, OrderDesk desk) {
        this.store = store;
        this.desk = desk;
    }

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of(
                Lane.FORWARD, Set.of(ORDER_REQUESTS, INVENTORY_EVENTS, ACCOUNT_EVENTS),
                Lane.COMPENSATION, Set.of(INVENTORY_COMPENSATIONS, ACCOUNT_COMPENSATIONS, OPS_COMMANDS));
    }

    @Override
    public boolean concerns(SpecificRecord event) {
        return HEARD.contains(event.getClass());
    }

    @Override
    public Set<String> workOrderKinds() {
        return Set.of(OrderDesk.STUCK);
    }

    @Override
    public LockedOrders load(Collection<ReceivedEvent> events) {
        var orders = new ArrayList<UUID>();
        var numbers = new ArrayList<Number>();
        var workOrders = new ArrayList<UUID>();
        for (ReceivedEvent event : events) {
            switch (event.body()) {
                case OrderRequested e -> {
                    if (OrderRequest.of(e).check(e.getMerchantId()) instanceof Valid) {
                        numbers.add(new Number(e.getMerchantId(), e.getOutTradeNo()));
                    }
                }
                case ResolveWorkOrder e -> {
                    orders.add(e.getOrderId());
                    workOrders.add(e.getWorkOrderId());
                }
                default -> orders.add(orderId(event.body()));
            }
        }
        return store.lock(orders, numbers, workOrders);
    }

    @Override
    public List<SpecificRecord> react(ReceivedEvent event, LockedOrders orders) {
        return switch (event.body()) {
            case OrderRequested requested -> request(requested, orders);
            case ResolveWorkOrder command -> resolve(event.id(), command, orders);
            default -> {
                Order now = order(event.body(), orders);
                Decision decision = Reactions.on(event.body(), now);
                orders.keep(event.id(), decision);
                yield decision.events();
            }
        };
    }

    @Override
    public void save(LockedOrders orders) {
        desk.save(orders);
    }

    /** The answer to an order that is placed is OrderPlaced, announced with the order itself. */
    private static List<SpecificRecord> request(OrderRequested requested, LockedOrders orders) {
        return switch (OrderRequest.of(requested).check(requested.getMerchantId())) {
            case Invalid<Terms> invalid -> List.of(Reactions.reject(requested, invalid.faults()));
            case Valid<Terms>(Terms terms) -> {
                var taken = orders.find(new Number(terms.merchantId(), terms.outTradeNo()));
                if (taken.isPresent()) {
                    yield Reactions.placeAgain(terms, taken.get()) instanceof Outcome.Refused refused
                            ? List.of(Reactions.reject(requested, refused))
                            : List.of();
                }
                orders.place(Reactions.place(EventIds.next(System.currentTimeMillis()), terms));
                yield List.of();
            }
        };
    }

    /** Commands reach every service; each carries out those about its own work orders. */
    private List<SpecificRecord> resolve(UUID eventId, ResolveWorkOrder command, LockedOrders orders) {
        Question question = orders.question(command.getWorkOrderId()).orElse(null);
        if (question == null) {
            return List.of();
        }
        if (question.parked()) {
            List<SpecificRecord> events = Reactions.resolve(command, question);
            orders.resolve(command);
            return events;
        }
        Decision decision = Reactions.resolve(command, question, order(command, orders));
        orders.keep(eventId, decision);
        orders.resolve(command);
        return decision.events();
    }

    private static Order order(SpecificRecord event, LockedOrders orders) {
        UUID orderId = orderId(event);
        return orders.find(orderId).orElseThrow(() -> Reactions.withoutOrder(orderId, event));
    }

    private static UUID orderId(SpecificRecord event) {
        return (UUID) event.get(event.getSchema().getField("orderId").pos());
    }
}
