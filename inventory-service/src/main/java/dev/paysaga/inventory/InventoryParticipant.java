package dev.paysaga.inventory;

import static dev.paysaga.events.Topics.ACCOUNT_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_EVENTS;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RestockLine;
import dev.paysaga.inventory.domain.Decision;
import dev.paysaga.inventory.domain.Reactions;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.inventory.domain.Shelves;
import dev.paysaga.saga.inbox.Lane;
import dev.paysaga.saga.inbox.Participant;
import dev.paysaga.saga.inbox.ReceivedEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.springframework.stereotype.Component;

/** What inventory hears. What it does about it is in {@link Reactions}. */
@Component
final class InventoryParticipant implements Participant<LockedStock> {

    /** Other events in these topics, such as OrderPaid or PaymentVoided, mean nothing to inventory. */
    private static final Set<Class<? extends SpecificRecord>> HEARD = Set.of(
            OrderPlaced.class, OrderConfirmed.class, OrderCanceled.class, PaymentDeclined.class, RefundCompleted.class);

    private final ReservationStore store;

    InventoryParticipant(ReservationStore store) {
        this.store = store;
    }

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of(
                Lane.FORWARD, Set.of(ORDER_EVENTS),
                Lane.COMPENSATION, Set.of(ORDER_COMPENSATIONS, ACCOUNT_COMPENSATIONS));
    }

    @Override
    public boolean concerns(SpecificRecord event) {
        return HEARD.contains(event.getClass());
    }

    @Override
    public LockedStock load(Collection<ReceivedEvent> events) {
        return store.lock(events.stream().map(event -> concern(event.body())).toList());
    }

    @Override
    public List<SpecificRecord> react(ReceivedEvent event, LockedStock stock) {
        Concern concern = concern(event.body());
        Reservation now = stock.reservation(concern.orderId(), concern.merchantId());
        Shelves shelves = stock.shelves(
                now.merchantId(),
                Stream.concat(concern.skus().stream(), now.units().skus().stream())
                        .collect(Collectors.toSet()));
        Decision decision = decide(event.body(), now, stock.restocks(now.orderId()), shelves);
        stock.keep(event.id(), now, decision);
        return decision.events();
    }

    @Override
    public void save(LockedStock stock) {
        store.save(stock);
    }

    private static Decision decide(SpecificRecord event, Reservation now, Restocks restocks, Shelves shelves) {
        return switch (event) {
            case OrderPlaced placed -> Reactions.on(placed, now, shelves);
            case OrderConfirmed confirmed -> Reactions.on(confirmed, now, shelves);
            case OrderCanceled canceled -> Reactions.on(canceled, now, shelves);
            case PaymentDeclined declined -> Reactions.on(declined, now, shelves);
            case RefundCompleted refunded -> Reactions.on(refunded, now, restocks, shelves);
            default -> throw unheard(event);
        };
    }

    private static Concern concern(SpecificRecord event) {
        return switch (event) {
            case OrderPlaced e -> new Concern(e.getOrderId(), e.getMerchantId(), ordered(e), false);
            case OrderConfirmed e -> new Concern(e.getOrderId(), e.getMerchantId(), Set.of(), false);
            case OrderCanceled e -> new Concern(e.getOrderId(), e.getMerchantId(), Set.of(), false);
            case PaymentDeclined e -> new Concern(e.getOrderId(), e.getMerchantId(), Set.of(), false);
            case RefundCompleted e -> new Concern(e.getOrderId(), e.getMerchantId(), returned(e), true);
            default -> throw unheard(event);
        };
    }

    private static Set<String> ordered(OrderPlaced placed) {
        return placed.getLines().stream().map(OrderLine::getSku).collect(Collectors.toSet());
    }

    private static Set<String> returned(RefundCompleted refunded) {
        return refunded.getRestock().stream().map(RestockLine::getSku).collect(Collectors.toSet());
    }

    private static IllegalArgumentException unheard(SpecificRecord event) {
        return new IllegalArgumentException(
                "inventory has no reaction to " + event.getSchema().getName());
    }

    /**
     * What an event says about itself, before anything is loaded.
     *
     * @param skus the products it names; an order's other products are those of its reservation
     * @param restocks whether earlier restocks of the order matter
     */
    record Concern(UUID orderId, String merchantId, Set<String> skus, boolean restocks) {}
}
