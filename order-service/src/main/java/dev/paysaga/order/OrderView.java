package dev.paysaga.order;

import dev.paysaga.order.StoredLines.Line;
import dev.paysaga.order.domain.Order;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order as its merchant sees it.
 *
 * @param status the name of its state
 * @param reason why it was canceled; null unless it was
 * @param amount total of the lines, in minor units of the currency
 * @param refundedAmount what went back to the payer, in minor units
 * @param lines one for each product
 * @param version grows with each change
 */
record OrderView(
        UUID orderId,
        String merchantId,
        String outTradeNo,
        String status,
        @Nullable String reason,
        String currency,
        long amount,
        long refundedAmount,
        List<Line> lines,
        Instant createdAt,
        Instant updatedAt,
        int version) {

    /** An order that was placed at this moment. */
    static OrderView placed(Order order, Instant at) {
        return new OrderView(
                order.orderId(),
                order.merchantId(),
                order.terms().outTradeNo(),
                order.status().name(),
                order.reason(),
                order.terms().currency(),
                order.terms().amount(),
                order.refundedAmount(),
                order.terms().lines().stream().map(Line::of).toList(),
                at,
                at,
                order.version());
    }

    /**
     * A page of orders, newest first.
     *
     * @param next what to pass as {@code after} for the next page; null if there is none
     */
    record Page(List<OrderView> orders, @Nullable UUID next) {}

    /**
     * What happened to an order and its refunds, oldest first.
     */
    record History(UUID orderId, List<Entry> history) {}

    /**
     * One thing that happened.
     *
     * @param at by the database's clock
     * @param refundNo the refund it happened to; null for the order itself
     * @param from the state before
     * @param to the state after; the same as before if the order only learned something
     * @param version the version that came of it
     * @param eventId what led to it
     */
    record Entry(Instant at, @Nullable String refundNo, String from, String to, int version, UUID eventId) {}
}
