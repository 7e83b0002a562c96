package dev.paysaga.inventory.domain;

/**
 * What one refund put back on the shelf.
 *
 * @param refundNo the merchant's number of the refund, unique within the order
 * @param units what came back; never empty
 */
public record Restock(String refundNo, Units units) {

    /** @throws IllegalArgumentException if nothing came back */
    public Restock {
        if (units.isEmpty()) {
            throw new IllegalArgumentException("refund " + refundNo + " puts nothing back: that is no restock");
        }
    }
}
