package dev.paysaga.order.domain;

/** Why something that was asked for is not done. */
public enum Refusal {
    /** The merchant has an order of this number with other content. */
    OUT_TRADE_NO_CONFLICT,
    /** The order is past the pivot. */
    ORDER_NOT_CANCELABLE,
    /** The order is not paid. */
    ORDER_NOT_REFUNDABLE,
    /** The order has a refund of this number with other content. */
    REFUND_NO_CONFLICT,
    /** With all refunds that were paid or may still be, it is more than was captured. */
    REFUND_EXCEEDS_CAPTURED,
    /** With all units that came back or may still do, it is more than was committed. */
    RESTOCK_EXCEEDS_COMMITTED
}
