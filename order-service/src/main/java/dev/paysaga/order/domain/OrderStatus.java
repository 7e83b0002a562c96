package dev.paysaga.order.domain;

import java.util.Map;
import java.util.Set;

/** How far an order is, with the codes under which the states are stored. Codes are never renumbered. */
public enum OrderStatus {
    /** There is no order. Never stored; what the first entry of an order's history starts from. */
    UNSEEN(0),
    /** Placed; stock and funds are being asked for. */
    CREATED(10),
    /** The stock is reserved; funds are being asked for. */
    STOCK_RESERVED(20),
    /** The pivot: stock and funds are promised, the order will be completed and can no longer be canceled. */
    CONFIRMED(30),
    /** The money is captured and the stock committed; no refund is open, and none was completed. */
    PAID(40),
    /** Will not be completed; what was promised is being given back. */
    CANCELING(50),
    /** Neither money nor stock is held for the order any more. */
    CANCELED(51),
    /** Paid, and a refund is requested or suspended. */
    REFUNDING(60),
    /** Paid, no refund is open, and a part of the money went back. */
    PARTIALLY_REFUNDED(61),
    /** Paid, no refund is open, and all of the money went back. */
    REFUNDED(62);

    private static final Map<OrderStatus, Set<OrderStatus>> MAY_BECOME = Map.of(
            CREATED, Set.of(STOCK_RESERVED, CONFIRMED, CANCELING),
            STOCK_RESERVED, Set.of(CONFIRMED, CANCELING),
            CONFIRMED, Set.of(PAID),
            PAID, Set.of(REFUNDING),
            CANCELING, Set.of(CANCELED),
            REFUNDING, Set.of(PAID, PARTIALLY_REFUNDED, REFUNDED),
            PARTIALLY_REFUNDED, Set.of(REFUNDING));

    private final int code;

    OrderStatus(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** @throws IllegalArgumentException if no state has this code */
    public static OrderStatus of(int code) {
        for (OrderStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("no order state has the code " + code);
    }

    /** Whether refunds can be asked for: money was captured and stock committed. */
    public boolean isPaid() {
        return this == PAID || this == REFUNDING || this == PARTIALLY_REFUNDED || this == REFUNDED;
    }

    /** Whether the order was given up. */
    public boolean isCanceling() {
        return this == CANCELING || this == CANCELED;
    }

    boolean mayBecome(OrderStatus next) {
        return MAY_BECOME.getOrDefault(this, Set.of()).contains(next);
    }
}
