package dev.paysaga.order.domain;

/** An answer the order counts, because it needs two of them to go on. */
public enum Ack {
    /** Inventory has committed the stock of the confirmed order. */
    STOCK_COMMITTED,
    /** Account has captured the money of the confirmed order. */
    PAYMENT_CAPTURED,
    /** Inventory holds nothing for the canceled order. */
    STOCK_RELEASED,
    /** Account holds nothing for the canceled order. */
    PAYMENT_VOIDED
}
