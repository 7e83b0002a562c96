package dev.paysaga.simulation;

import static dev.paysaga.events.Topics.ORDER_EVENTS;

import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import java.util.Set;
import java.util.TreeSet;

/** Notification-service in the simulated world: its unique index keeps one row for each outcome. */
public final class NotificationRole implements Participant {

    static final String NAME = "notification";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> hears() {
        return Set.of(ORDER_EVENTS);
    }

    @Override
    public boolean passesBy(Object event) {
        return !(event instanceof OrderPaid
                || event instanceof OrderClosed
                || event instanceof OrderRefunded
                || event instanceof OrderRefundFailed);
    }

    @Override
    public boolean onlyListens() {
        return true;
    }

    @Override
    public Object start(int saga) {
        return Set.of();
    }

    @Override
    public Object shared() {
        return "";
    }

    @Override
    public Step react(Object event, Object local, Object shared) {
        return switch (event) {
            case OrderPaid e -> tell("OrderPaid", local, shared);
            case OrderClosed e -> tell("OrderClosed", local, shared);
            case OrderRefunded e -> tell("OrderRefunded/" + e.getRefundNo(), local, shared);
            case OrderRefundFailed e -> tell("OrderRefundFailed/" + e.getRefundNo(), local, shared);
            default -> throw new IllegalArgumentException(NAME + " has no reaction to " + event);
        };
    }

    @Override
    public String label(Object local) {
        return told(local).isEmpty() ? "SILENT" : "TOLD";
    }

    private static Step tell(String outcome, Object local, Object shared) {
        var told = new TreeSet<>(told(local));
        told.add(outcome);
        return Step.of(Set.copyOf(told), shared);
    }

    @SuppressWarnings("unchecked")
    static Set<String> told(Object local) {
        return (Set<String>) local;
    }
}
