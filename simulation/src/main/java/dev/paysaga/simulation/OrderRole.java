package dev.paysaga.simulation;

import static dev.paysaga.events.Topics.ACCOUNT_COMPENSATIONS;
import static dev.paysaga.events.Topics.ACCOUNT_EVENTS;
import static dev.paysaga.events.Topics.INVENTORY_COMPENSATIONS;
import static dev.paysaga.events.Topics.INVENTORY_EVENTS;
import static dev.paysaga.events.Topics.ORDER_REQUESTS;

import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundFailed;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.StockRestocked;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import dev.paysaga.order.domain.Checked.Invalid;
import dev.paysaga.order.domain.Checked.Valid;
import dev.paysaga.order.domain.Decision;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.OrderRequest;
import dev.paysaga.order.domain.Outcome;
import dev.paysaga.order.domain.Reactions;
import dev.paysaga.order.domain.Refund;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.order.domain.Terms;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Order-service in the simulated world. Its state of a saga is the order, if it was placed. */
public final class OrderRole implements Participant {

    static final String NAME = "order";

    private static final Object NOTHING_SHARED = "";

    private final boolean requests;

    public OrderRole() {
        this(false);
    }

    /** @param requests whether other systems may request orders over Kafka */
    OrderRole(boolean requests) {
        this.requests = requests;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> hears() {
        var topics =
                new TreeSet<>(Set.of(INVENTORY_EVENTS, INVENTORY_COMPENSATIONS, ACCOUNT_EVENTS, ACCOUNT_COMPENSATIONS));
        if (requests) {
            topics.add(ORDER_REQUESTS);
        }
        return topics;
    }

    @Override
    public boolean passesBy(Object event) {
        return event instanceof StockRestocked;
    }

    @Override
    public Object start(int saga) {
        return Optional.empty();
    }

    @Override
    public Object shared() {
        return NOTHING_SHARED;
    }

    @Override
    public Step react(Object event, Object local, Object shared) {
        if (event instanceof OrderRequested requested) {
            return requested(requested, local);
        }
        Order now = order(local).orElseThrow(() -> Reactions.withoutOrder(Cast.ORDER, (SpecificRecord) event));
        return step(Reactions.on((SpecificRecord) event, now));
    }

    @Override
    public String label(Object local) {
        return order(local).map(order -> order.status().name()).orElse("UNSEEN");
    }

    @Override
    public String label(Object local, Object event) {
        return switch (event) {
            case RefundCompleted e -> label(local, e.getRefundNo());
            case RefundSuspended e -> label(local, e.getRefundNo());
            case RefundFailed e -> label(local, e.getRefundNo());
            default -> label(local);
        };
    }

    private static String label(Object local, String refundNo) {
        return order(local)
                .flatMap(order -> order.refund(refundNo))
                .map(refund -> "refund " + refund.status())
                .orElse("no such refund");
    }

    /** The way in over Kafka, as the shell goes it: checked, then found by the merchant's number, or placed. */
    private static Step requested(OrderRequested requested, Object local) {
        return switch (OrderRequest.of(requested).check(requested.getMerchantId())) {
            case Invalid<Terms> invalid ->
                Step.of(local, NOTHING_SHARED, Reactions.reject(requested, invalid.faults()));
            case Valid<Terms>(Terms terms) ->
                order(local)
                        .map(order -> Reactions.placeAgain(terms, order) instanceof Outcome.Refused refused
                                ? Step.of(local, NOTHING_SHARED, Reactions.reject(requested, refused))
                                : Step.of(local, NOTHING_SHARED))
                        .orElseGet(() -> step(Reactions.place(Cast.ORDER, terms)));
        };
    }

    /** The way in over HTTP. Whoever finds the number taken has not placed an order. */
    static @Nullable Step place(Object local) {
        return order(local).isEmpty() ? step(Reactions.place(Cast.ORDER, Cast.ONE_TEA)) : placeAgain(local);
    }

    /** Repeated or refused: nothing is announced either way. */
    static @Nullable Step placeAgain(Object local) {
        return order(local)
                .map(order -> Reactions.placeAgain(Cast.ONE_TEA, order))
                .map(outcome -> Step.of(local, NOTHING_SHARED))
                .orElse(null);
    }

    static @Nullable Step cancel(Object local) {
        return order(local).map(Reactions::cancel).map(OrderRole::accepted).orElse(null);
    }

    static @Nullable Step timeOut(Object local) {
        return order(local)
                .map(Reactions::timeOut)
                .filter(decision -> !decision.events().isEmpty())
                .map(OrderRole::step)
                .orElse(null);
    }

    static @Nullable Step resend(Object local) {
        return order(local)
                .map(Reactions::resend)
                .filter(decision -> !decision.events().isEmpty())
                .map(OrderRole::step)
                .orElse(null);
    }

    static @Nullable Step refund(Object local, int most, long amount, boolean restock) {
        return order(local)
                .filter(order -> order.refunds().size() < most)
                .map(order -> Reactions.requestRefund(
                        new RefundTerms(
                                "refund-" + (order.refunds().size() + 1),
                                amount,
                                null,
                                restock ? Cast.TEA_BACK : List.of()),
                        order))
                .map(OrderRole::accepted)
                .orElse(null);
    }

    private static @Nullable Step accepted(Outcome outcome) {
        return outcome instanceof Outcome.Accepted accepted ? step(accepted.decision()) : null;
    }

    private static Step step(Decision decision) {
        return new Step(Optional.of(unversioned(decision.order())), NOTHING_SHARED, decision.events());
    }

    /** Versions only count transitions; worlds that differ in them alone are the same. */
    private static Order unversioned(Order order) {
        List<Refund> refunds = order.refunds().stream()
                .map(refund -> new Refund(refund.terms(), refund.status(), refund.failure(), 1))
                .toList();
        return new Order(order.orderId(), order.terms(), order.status(), order.reason(), order.acks(), refunds, 1);
    }

    @SuppressWarnings("unchecked")
    static Optional<Order> order(Object local) {
        return (Optional<Order>) local;
    }
}
