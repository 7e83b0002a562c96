package dev.paysaga.order;

import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.order.domain.Decision;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.Question;
import dev.paysaga.order.domain.Refund;
import dev.paysaga.order.domain.RefundStatus;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.state.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Orders that this transaction has locked, and what it has decided about them so far. Nothing of it is stored yet. */
final class LockedOrders {

    /** A merchant's own number of an order. */
    record Number(String merchantId, String outTradeNo) {

        static Number of(Order order) {
            return new Number(order.merchantId(), order.terms().outTradeNo());
        }
    }

    /**
     * What became of an order in this transaction.
     *
     * @param before as it was locked
     * @param after as it is to be stored
     * @param restarted whether its deadline starts anew, though its state is the same
     */
    record Change(Order before, Order after, boolean restarted) {}

    /** A refund as it is to be stored. */
    record ChangedRefund(UUID orderId, Refund refund) {}

    /** One change of a refund's state. */
    record RefundTransition(
            UUID orderId, String refundNo, UUID eventId, RefundStatus from, RefundStatus to, int version) {}

    private final Map<UUID, Order> before = new HashMap<>();
    private final Map<UUID, Order> now = new LinkedHashMap<>();
    private final Map<Number, UUID> byNumber = new HashMap<>();
    private final Set<UUID> stuck;
    private final Map<UUID, Instant> since;
    private final Map<UUID, Question> openWorkOrders;
    private final Set<UUID> restarted = new HashSet<>();
    private final List<Transition> transitions = new ArrayList<>();
    private final List<RefundTransition> refundTransitions = new ArrayList<>();
    private final List<ResolveWorkOrder> resolutions = new ArrayList<>();
    private final List<Announcement> placements = new ArrayList<>();

    /**
     * @param orders as they are stored
     * @param stuck those about which a person was told that nothing moves
     * @param since when each of the others entered its state, if it may not stay in it for ever
     * @param openWorkOrders work orders of this service that are locked and open
     */
    LockedOrders(
            Collection<Order> orders, Set<UUID> stuck, Map<UUID, Instant> since, Map<UUID, Question> openWorkOrders) {
        orders.forEach(order -> {
            before.put(order.orderId(), order);
            now.put(order.orderId(), order);
            byNumber.put(Number.of(order), order.orderId());
        });
        this.stuck = Set.copyOf(stuck);
        this.since = Map.copyOf(since);
        this.openWorkOrders = new HashMap<>(openWorkOrders);
    }

    Optional<Order> find(UUID orderId) {
        return Optional.ofNullable(now.get(orderId));
    }

    Optional<Order> find(Number number) {
        return Optional.ofNullable(byNumber.get(number)).map(now::get);
    }

    /** When the order entered its state, by the database's clock; the epoch if nobody waits for it to leave. */
    Instant since(UUID orderId) {
        return since.getOrDefault(orderId, Instant.EPOCH);
    }

    Collection<Order> all() {
        return List.copyOf(now.values());
    }

    /** Keeps a new order, to be announced for its own sake: its id is the cause. */
    void place(Decision decision) {
        Order order = decision.order();
        now.put(order.orderId(), order);
        byNumber.put(Number.of(order), order.orderId());
        transitions.add(placement(order));
        placements.add(new Announcement(order.orderId(), decision.events(), null));
    }

    /** Keeps what was decided because of this event about an order that is locked. */
    void keep(UUID eventId, Decision decision) {
        Order next = decision.order();
        Order last = now.get(next.orderId());
        if (last == null || next.equals(last)) {
            return;
        }
        now.put(next.orderId(), next);
        transitions.add(transition(eventId, last.status(), next));
        for (Refund refund : next.refunds()) {
            Optional<Refund> was = last.refund(refund.refundNo());
            if (!was.equals(Optional.of(refund))) {
                refundTransitions.add(new RefundTransition(
                        next.orderId(),
                        refund.refundNo(),
                        eventId,
                        was.map(Refund::status).orElse(RefundStatus.UNSEEN),
                        refund.status(),
                        refund.version()));
            }
        }
    }

    /** What this work order asks; empty unless it is an open one of this service. */
    Optional<Question> question(UUID workOrderId) {
        return Optional.ofNullable(openWorkOrders.get(workOrderId));
    }

    /** Keeps that a person's decision was carried out. An order whose requests were sent again is watched again. */
    void resolve(ResolveWorkOrder command) {
        openWorkOrders.remove(command.getWorkOrderId());
        resolutions.add(command);
        restarted.add(command.getOrderId());
    }

    List<Order> placed() {
        return now.values().stream()
                .filter(order -> !before.containsKey(order.orderId()))
                .toList();
    }

    List<Change> changes() {
        return before.values().stream()
                .map(order -> new Change(
                        order, now.getOrDefault(order.orderId(), order), restarted.contains(order.orderId())))
                .filter(change -> !change.after().equals(change.before()))
                .toList();
    }

    List<ChangedRefund> changedRefunds() {
        return changes().stream()
                .flatMap(change -> change.after().refunds().stream()
                        .filter(refund -> !change.before().refunds().contains(refund))
                        .map(refund -> new ChangedRefund(change.after().orderId(), refund)))
                .toList();
    }

    /** Orders a person was told about that have moved on since. */
    List<Order> unstuck() {
        return changes().stream()
                .filter(change -> stuck.contains(change.before().orderId())
                        && change.after().status() != change.before().status())
                .map(Change::after)
                .toList();
    }

    List<Transition> transitions() {
        return transitions;
    }

    List<RefundTransition> refundTransitions() {
        return refundTransitions;
    }

    List<ResolveWorkOrder> resolutions() {
        return resolutions;
    }

    /** What the new orders announce. */
    List<Announcement> placements() {
        return placements;
    }

    /** The first entry of a new order's history. */
    static Transition placement(Order order) {
        return transition(order.orderId(), OrderStatus.UNSEEN, order);
    }

    private static Transition transition(UUID eventId, OrderStatus from, Order after) {
        return new Transition(
                after.orderId(),
                eventId,
                from.code(),
                after.status().code(),
                after.version(),
                from.name(),
                after.status().name());
    }
}
