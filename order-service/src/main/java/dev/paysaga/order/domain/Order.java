package dev.paysaga.order.domain;

import dev.paysaga.events.RestockLine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One order, with its refunds.
 *
 * @param orderId the saga's identity
 * @param terms what it is about
 * @param status how far it is
 * @param reason why it is canceled; null unless it is
 * @param acks which of the awaited answers have come
 * @param refunds in the order in which they were asked for; empty until the order is paid
 * @param version number of transitions so far
 */
public record Order(
        UUID orderId,
        Terms terms,
        OrderStatus status,
        @Nullable String reason,
        Set<Ack> acks,
        List<Refund> refunds,
        int version) {

    private static final Set<Ack> COMPLETED = Set.of(Ack.STOCK_COMMITTED, Ack.PAYMENT_CAPTURED);
    private static final Set<Ack> UNDONE = Set.of(Ack.STOCK_RELEASED, Ack.PAYMENT_VOIDED);

    /** @throws IllegalArgumentException if the parts contradict each other */
    public Order {
        acks = Set.copyOf(acks);
        refunds = List.copyOf(refunds);
        boolean acksFit = switch (status) {
            case UNSEEN -> false;
            case CREATED, STOCK_RESERVED -> acks.isEmpty();
            case CONFIRMED -> COMPLETED.containsAll(acks) && !acks.equals(COMPLETED);
            case PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED -> acks.equals(COMPLETED);
            case CANCELING -> UNDONE.containsAll(acks) && !acks.equals(UNDONE);
            case CANCELED -> acks.equals(UNDONE);
        };
        boolean refundsFit = status.isPaid()
                ? status == derived(terms, refunds) && claimed(refunds) <= terms.amount()
                : refunds.isEmpty();
        if (!acksFit || !refundsFit || (reason != null) != status.isCanceling() || version < 1) {
            throw new IllegalArgumentException("order " + orderId + " cannot be " + status + " with reason " + reason
                    + ", answers " + acks + ", refunds " + refunds + ", in version " + version);
        }
    }

    static Order placed(UUID orderId, Terms terms) {
        return new Order(orderId, terms, OrderStatus.CREATED, null, Set.of(), List.of(), 1);
    }

    /** What the completed refunds paid back, in minor units. */
    public long refundedAmount() {
        return refunds.stream()
                .filter(refund -> refund.status() == RefundStatus.COMPLETED)
                .mapToLong(Refund::amount)
                .reduce(0, Math::addExact);
    }

    public Optional<Refund> refund(String refundNo) {
        return refunds.stream()
                .filter(refund -> refund.refundNo().equals(refundNo))
                .findFirst();
    }

    public String merchantId() {
        return terms.merchantId();
    }

    /** Whether an answer is due. With nothing open but suspended refunds it is not: a person has been told, and decides. */
    public boolean isWaiting() {
        return switch (status) {
            case CREATED, STOCK_RESERVED, CONFIRMED, CANCELING -> true;
            case REFUNDING -> refunds.stream().anyMatch(refund -> refund.status() == RefundStatus.REQUESTED);
            case UNSEEN, PAID, CANCELED, PARTIALLY_REFUNDED, REFUNDED -> false;
        };
    }

    /** What no refund has claimed yet, in minor units; an open one's amount counts as claimed. */
    long refundable() {
        return terms.amount() - claimed(refunds);
    }

    /** Units by product that were committed and that no refund has claimed yet. */
    Map<String, Long> restockable() {
        var left = new HashMap<>(terms.units());
        refunds.stream()
                .filter(refund -> refund.status().isClaimed())
                .flatMap(refund -> refund.terms().restock().stream())
                .forEach(line -> left.merge(line.getSku(), -line.getQuantity(), Math::addExact));
        return left;
    }

    boolean canRestock(List<RestockLine> lines) {
        Map<String, Long> left = restockable();
        return lines.stream().allMatch(line -> line.getQuantity() <= left.getOrDefault(line.getSku(), 0L));
    }

    Order reserved() {
        return become(OrderStatus.STOCK_RESERVED, reason, acks, refunds);
    }

    Order confirmed() {
        return become(OrderStatus.CONFIRMED, reason, acks, refunds);
    }

    Order canceling(String why) {
        return become(OrderStatus.CANCELING, why, acks, refunds);
    }

    /** Counts an answer; the second of a pair takes the order to PAID or CANCELED. */
    Order acknowledged(Ack ack) {
        var all = EnumSet.of(ack);
        all.addAll(acks);
        OrderStatus next =
                all.equals(COMPLETED) ? OrderStatus.PAID : all.equals(UNDONE) ? OrderStatus.CANCELED : status;
        return become(next, reason, all, refunds);
    }

    /** Adds a refund, or replaces the one of the same number. */
    Order with(Refund changed) {
        var all = new ArrayList<>(refunds);
        all.replaceAll(refund -> refund.refundNo().equals(changed.refundNo()) ? changed : refund);
        if (refund(changed.refundNo()).isEmpty()) {
            all.add(changed);
        }
        return become(derived(terms, all), reason, acks, all);
    }

    /** The same order, with one more entry in its history. */
    Order noted() {
        return become(status, reason, acks, refunds);
    }

    private Order become(OrderStatus next, @Nullable String why, Set<Ack> answers, List<Refund> asked) {
        if (next != status && !status.mayBecome(next)) {
            throw new IllegalStateException("order " + orderId + " is " + status + " and cannot become " + next);
        }
        return new Order(orderId, terms, next, why, answers, asked, version + 1);
    }

    private static OrderStatus derived(Terms terms, List<Refund> refunds) {
        if (refunds.stream().anyMatch(refund -> refund.status().isOpen())) {
            return OrderStatus.REFUNDING;
        }
        long back = claimed(refunds);
        return back == 0
                ? OrderStatus.PAID
                : back < terms.amount() ? OrderStatus.PARTIALLY_REFUNDED : OrderStatus.REFUNDED;
    }

    private static long claimed(List<Refund> refunds) {
        return refunds.stream()
                .filter(refund -> refund.status().isClaimed())
                .mapToLong(Refund::amount)
                .reduce(0, Math::addExact);
    }
}
