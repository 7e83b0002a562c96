package dev.paysaga.inventory.domain;

/** Why an order has no stock. The names are the published ones. */
public enum Reason {
    /** The merchant carries the product, but fewer units are available than were asked for. */
    OUT_OF_STOCK,
    /** The merchant never received a unit of the product. */
    UNKNOWN_SKU,
    /** The order was canceled. */
    ORDER_CANCELED,
    /** The payment was declined. */
    PAYMENT_DECLINED
}
