package dev.paysaga.saga.ops;

import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.saga.inbox.Reactor;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.saga.parking.ParkingLot;
import dev.paysaga.saga.web.Problem;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.Operations.Answer;
import dev.paysaga.wire.Operations.Where;
import java.util.Objects;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Carries a person's decision about a work order out. About what is the service's own business, the service decides: it is
 * given the language's command, as if that had come over Kafka. The rest are questions that the mechanics have asked.
 */
final class WorkOrderDesk {

    private static final String RETRY = "RETRY";
    private static final String WRITE_OFF = "WRITE_OFF";

    /** Its amount is what a person says, and not what a work order is about. */
    private static final String POST_TO_SUSPENSE = "POST_TO_SUSPENSE";

    private final String service;
    private final WorkOrders orders;
    private final Reactor<?> reactor;
    private final ParkedEvents parked;
    private final EventCatalog language;
    private final Outbox outbox;
    private final TransactionOperations transaction;

    WorkOrderDesk(
            String service,
            WorkOrders orders,
            Reactor<?> reactor,
            ParkedEvents parked,
            EventCatalog language,
            Outbox outbox,
            TransactionOperations transaction) {
        this.service = service;
        this.orders = orders;
        this.reactor = reactor;
        this.parked = parked;
        this.language = language;
        this.outbox = outbox;
        this.transaction = transaction;
    }

    /**
     * What a person wants.
     *
     * @param refundNo checked against the work order; null for whatever it is about
     * @param amount in minor units, checked against the work order; null for whatever it is about
     * @param where the account that was named
     */
    record Wish(
            String action,
            @Nullable String refundNo,
            @Nullable Long amount,
            @Nullable String note,
            Where where,
            String actor) {}

    /**
     * Resolves a work order, once; the same wish again changes nothing.
     *
     * @return as it is from now on
     * @throws Problem if there is none, it was resolved otherwise, or the wish cannot be carried out
     */
    WorkOrder resolve(UUID id, Wish wish) {
        return Objects.requireNonNull(transaction.execute(status -> {
            WorkOrder order = find(id);
            check(order, wish);
            if (order.isOpen()) {
                carryOut(order, wish);
                order = find(id);
            }
            return agreed(order, wish);
        }));
    }

    private WorkOrder find(UUID id) {
        return orders.find(id).orElseThrow(() -> Problem.notFound("Work order " + id));
    }

    private static void check(WorkOrder order, Wish wish) {
        boolean sameRefund = wish.refundNo() == null || wish.refundNo().equals(order.refundNo());
        boolean sameAmount = wish.amount() == null
                || wish.action().equals(POST_TO_SUSPENSE)
                || wish.amount().equals(order.amount());
        if (!sameRefund || !sameAmount) {
            throw impossible(
                    order,
                    wish,
                    "it is about "
                            + (order.refundNo() == null ? "no refund" : "refund " + order.refundNo()) + " and "
                            + (order.amount() == null ? "no money" : order.amount() + " " + order.currency()));
        }
    }

    private void carryOut(WorkOrder order, Wish wish) {
        if (reactor.workOrderKinds().contains(order.kind())) {
            command(order, wish);
        } else if (order.kind().equals(ParkingLot.WORK_ORDER_KIND)
                && wish.action().equals(RETRY)) {
            redrive(order, wish);
        } else if (wish.action().equals(WRITE_OFF)) {
            writeOff(order, wish);
        } else {
            throw impossible(
                    order,
                    wish,
                    order.kind() + " takes WRITE_OFF"
                            + (order.kind().equals(ParkingLot.WORK_ORDER_KIND) ? " and RETRY" : ""));
        }
    }

    /** The service's own reactions decide, and check kind and amount. */
    private void command(WorkOrder order, Wish wish) {
        SpecificRecord command = language.operations()
                .command(new Answer(
                        order.id(),
                        order.aggregateId(),
                        order.merchantId(),
                        wish.action(),
                        wish.refundNo(),
                        wish.amount(),
                        wish.actor(),
                        wish.note(),
                        wish.where()))
                .orElseThrow(() -> new IllegalStateException("this language has no command about work orders"));
        // New for every command: what was refused yesterday may be tried again today. From the work order and not from
        // what
        // it is about, which may be as old as the epoch when it is no saga.
        UUID id = EventIds.derive(order.id(), service, "Resolution/" + EventIds.next(System.currentTimeMillis()), 0);
        try {
            reactor.obey(id, command, language.route(command));
        } catch (ImpossibleTransition e) {
            throw impossible(order, wish, String.valueOf(e.getMessage()));
        }
    }

    private void redrive(WorkOrder order, Wish wish) {
        ParkedEvent event = parked.waitingFor(order)
                .orElseThrow(() -> refused(
                        order, "Its event waits no more. WRITE_OFF closes it once what it is about is settled."));
        ParkedEvents.Release release = parked.redrive(event.id(), wish.actor());
        if (release.outcome() == ParkedEvents.Outcome.NOT_FIRST) {
            throw refused(order, "Its event waits behind another one of its key, which comes first.");
        }
    }

    private void writeOff(WorkOrder order, Wish wish) {
        if (order.kind().equals(ParkingLot.WORK_ORDER_KIND)) {
            parked.waitingFor(order).ifPresent(event -> {
                throw refused(order, "Parked event " + event.id() + " still waits. Redrive or skip it first.");
            });
        }
        Resolution how = new Resolution(wish.action(), wish.actor(), wish.note());
        if (orders.resolve(order.id(), how)) {
            language.operations()
                    .resolved(order.answeredBy(how))
                    .ifPresent(event -> outbox.append(new Announcement(
                            EventIds.derive(order.id(), service, "WrittenOff", 0), java.util.List.of(event), null)));
        }
    }

    private static WorkOrder agreed(WorkOrder order, Wish wish) {
        Resolution how = order.resolution();
        if (how == null) {
            throw refused(
                    order,
                    "Work order " + order.id() + " stays open: " + wish.action() + " was tried and is still refused. "
                            + order.detail());
        }
        boolean redriven = how.action().equals("REDRIVE") && wish.action().equals(RETRY);
        if (!how.action().equals(wish.action()) && !redriven) {
            throw Problem.of(
                            HttpStatus.CONFLICT,
                            "work-order-resolved",
                            "Work order " + order.id() + " was resolved before: " + how.action() + " by " + how.actor()
                                    + ".")
                    .with("workOrderId", order.id())
                    .with("action", how.action());
        }
        return order;
    }

    private static Problem impossible(WorkOrder order, Wish wish, String why) {
        return Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "resolution-impossible",
                        wish.action() + " is no way to resolve work order " + order.id() + ": " + why + ".")
                .with("workOrderId", order.id());
    }

    private static Problem refused(WorkOrder order, String why) {
        return Problem.of(HttpStatus.CONFLICT, "resolution-refused", why).with("workOrderId", order.id());
    }
}
