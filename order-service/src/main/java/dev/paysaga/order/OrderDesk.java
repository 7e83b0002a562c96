package dev.paysaga.order;

import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.SagaStuck;
import dev.paysaga.events.WorkOrderOpened;
import dev.paysaga.order.LockedOrders.Number;
import dev.paysaga.order.domain.Decision;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.Outcome;
import dev.paysaga.order.domain.Reactions;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.Operations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Carries decisions out that nobody's event led to: a merchant asks, or time has passed. Each in one transaction, under the
 * order's lock: what is stored and what is announced are one.
 */
@Component
final class OrderDesk {

    /** Part of event ids: never to be changed. */
    private static final String ORDER = "order";

    /** The kind of work order that an order opens which does not move. */
    static final String STUCK = "SAGA_STUCK";

    private final TransactionOperations transaction;
    private final OrderStore store;
    private final Outbox outbox;
    private final WorkOrders workOrders;
    private final OrderProperties.Deadlines deadlines;
    private final OrderMeters meters;
    private final Operations words;

    OrderDesk(
            TransactionOperations transaction,
            OrderStore store,
            Outbox outbox,
            WorkOrders workOrders,
            OrderProperties properties,
            OrderMeters meters,
            EventCatalog language) {
        this.transaction = transaction;
        this.store = store;
        this.outbox = outbox;
        this.workOrders = workOrders;
        this.deadlines = properties.deadlines();
        this.meters = meters;
        this.words = language.operations();
    }

    /**
     * What became of the wish to place an order.
     *
     * @param at when it was placed, by the database's clock; null unless it was placed now
     */
    record Placement(Outcome outcome, @Nullable Instant at) {}

    /** Places an order, or finds that its merchant has used its number before. */
    Placement place(Terms terms) {
        return inTransaction(() -> {
            Decision decision = Reactions.place(EventIds.next(System.currentTimeMillis()), terms);
            Optional<Instant> stored = store.insert(decision.order());
            if (stored.isPresent()) {
                outbox.append(new Announcement(decision.order().orderId(), decision.events(), null));
                return new Placement(new Outcome.Accepted(decision), stored.get());
            }
            Number number = Number.of(decision.order());
            Order before = store.lock(List.of(), List.of(number), List.of())
                    .find(number)
                    .orElseThrow();
            return new Placement(Reactions.placeAgain(terms, before), null);
        });
    }

    /** Empty if the merchant has no such order. */
    Optional<Outcome> cancel(UUID orderId, String merchantId) {
        return decide(orderId, merchantId, "CancelOrder", Reactions::cancel);
    }

    /** Empty if the merchant has no such order. */
    Optional<Outcome> refund(UUID orderId, String merchantId, RefundTerms terms) {
        return decide(
                orderId, merchantId, "RefundOrder/" + terms.refundNo(), order -> Reactions.requestRefund(terms, order));
    }

    /**
     * Looks after orders whose deadline has passed: cancels those that are not confirmed, tells a person about the others.
     *
     * @return how many there were
     */
    int settleOverdue() {
        return inTransaction(() -> {
            LockedOrders orders = store.lockOverdue(deadlines.batch());
            var announcements = new ArrayList<Announcement>();
            var told = new ArrayList<UUID>();
            for (Order order : orders.all()) {
                UUID cause = EventIds.derive(order.orderId(), ORDER, "Overdue", order.version());
                Decision timedOut = Reactions.timeOut(order);
                Decision stuck = Reactions.stuck(order, orders.since(order.orderId()));
                orders.keep(cause, timedOut);
                var events = new ArrayList<>(timedOut.events());
                for (SpecificRecord event : stuck.events()) {
                    events.add(event);
                    events.add(askAPerson(cause, (SagaStuck) event));
                    told.add(order.orderId());
                }
                announcements.add(new Announcement(cause, events, null));
            }
            save(orders);
            store.stopWatching(told);
            outbox.appendAll(announcements);
            return orders.all().size();
        });
    }

    /** Closes the questions about events that were done without, once their orders are settled: nothing is missing. */
    void closeSkipped() {
        inTransaction(() -> {
            List<WorkOrder> skipped = store.lockSkippedOfSettled();
            skipped.forEach(work -> settle(work, "its event was skipped, and the order is settled"));
            return skipped.size();
        });
    }

    /** Stores what was decided in the caller's transaction, and announces what the caller does not announce itself. */
    void save(LockedOrders orders) {
        store.save(orders);
        outbox.appendAll(orders.placements());
        for (ResolveWorkOrder command : orders.resolutions()) {
            workOrders.resolve(
                    command.getWorkOrderId(),
                    new Resolution(command.getAction(), command.getActor(), command.getNote()));
        }
        orders.unstuck().forEach(this::closeWorkOrders);
        orders.changes().forEach(meters::count);
    }

    private Optional<Outcome> decide(UUID orderId, String merchantId, String asked, Function<Order, Outcome> decision) {
        return inTransaction(() -> {
            LockedOrders orders = store.lock(orderId);
            return orders.find(orderId)
                    .filter(order -> order.merchantId().equals(merchantId))
                    .map(order -> {
                        Outcome outcome = decision.apply(order);
                        if (outcome instanceof Outcome.Accepted(Decision accepted)) {
                            UUID cause = EventIds.derive(orderId, ORDER, asked, 0);
                            orders.keep(cause, accepted);
                            save(orders);
                            outbox.append(new Announcement(cause, accepted.events(), null));
                        }
                        return outcome;
                    });
        });
    }

    private WorkOrderOpened askAPerson(UUID cause, SagaStuck stuck) {
        WorkOrder work = WorkOrder.about(
                EventIds.derive(cause, ORDER, STUCK, 0),
                STUCK,
                stuck.getOrderId(),
                stuck.getMerchantId(),
                "The order has been " + stuck.getState() + " since " + stuck.getSince()
                        + ". Look for parked events of it at every service, and redrive them. If there are none, RESEND has it"
                        + " ask again; whoever has decided answers again.");
        workOrders.open(work);
        return new WorkOrderOpened(
                work.id(), stuck.getOrderId(), stuck.getMerchantId(), STUCK, null, null, work.detail());
    }

    /** An order that has moved on by itself needs nobody any more. */
    private void closeWorkOrders(Order order) {
        workOrders.of(order.orderId()).stream()
                .filter(work -> work.kind().equals(STUCK))
                .forEach(work -> settle(work, "the order moved on by itself"));
    }

    private void settle(WorkOrder work, String note) {
        var how = new Resolution("SETTLED", ORDER, note);
        if (workOrders.resolve(work.id(), how)) {
            outbox.append(new Announcement(
                    EventIds.derive(work.id(), ORDER, "Settled", 0),
                    words.resolved(work.answeredBy(how)).stream().toList(),
                    null));
        }
    }

    private <T> T inTransaction(Supplier<T> work) {
        T result = transaction.execute(status -> work.get());
        if (result == null) {
            throw new IllegalStateException("a transaction came to no result");
        }
        return result;
    }
}
