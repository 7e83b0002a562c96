package dev.paysaga.simulation;

import static dev.paysaga.events.Topics.ACCOUNT_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_EVENTS;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import dev.paysaga.inventory.domain.Decision;
import dev.paysaga.inventory.domain.Reactions;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.inventory.domain.Shelves;
import java.util.Map;
import java.util.Set;

/** Inventory-service in the simulated world. Its sagas share one shelf of tea. */
public final class InventoryRole implements Participant {

    static final String NAME = "inventory";

    /** What inventory knows of one order. */
    record Stock(Reservation reservation, Restocks restocks) {}

    private final long units;

    public InventoryRole(long units) {
        this.units = units;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> hears() {
        return Set.of(ORDER_EVENTS, ORDER_COMPENSATIONS, ACCOUNT_COMPENSATIONS);
    }

    @Override
    public boolean passesBy(Object event) {
        return !(event instanceof OrderPlaced
                || event instanceof OrderConfirmed
                || event instanceof OrderCanceled
                || event instanceof PaymentDeclined
                || event instanceof RefundCompleted);
    }

    @Override
    public Object start(int saga) {
        return new Stock(Reservation.unseen(Cast.ORDER, Cast.MERCHANT), Restocks.NONE);
    }

    @Override
    public Object shared() {
        return new Shelves(Map.of(Cast.TEA, new Shelf(Cast.TEA, units, 0)));
    }

    @Override
    public Step react(Object event, Object local, Object shared) {
        var stock = (Stock) local;
        var shelves = (Shelves) shared;
        Reservation now = stock.reservation();
        return switch (event) {
            case OrderPlaced e -> step(Reactions.on(e, now, shelves), stock);
            case OrderConfirmed e -> step(Reactions.on(e, now, shelves), stock);
            case OrderCanceled e -> step(Reactions.on(e, now, shelves), stock);
            case PaymentDeclined e -> step(Reactions.on(e, now, shelves), stock);
            case RefundCompleted e -> step(Reactions.on(e, now, stock.restocks(), shelves), stock);
            default -> throw new IllegalArgumentException(NAME + " has no reaction to " + event);
        };
    }

    @Override
    public String label(Object local) {
        return ((Stock) local).reservation().status().name();
    }

    private static Step step(Decision decision, Stock before) {
        Reservation r = decision.reservation();
        var unversioned =
                new Reservation(r.orderId(), r.merchantId(), r.status(), r.units(), r.reason(), r.shortSku(), 0);
        Restocks restocks = decision.restock().map(before.restocks()::with).orElse(before.restocks());
        return new Step(new Stock(unversioned, restocks), decision.shelves(), decision.events());
    }
}
