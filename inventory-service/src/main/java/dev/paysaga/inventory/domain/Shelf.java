package dev.paysaga.inventory.domain;

/**
 * Units of one product of one merchant. The guard here has a twin in the database ({@code reserved between 0 and
 * on_hand}): neither a wrong decision nor a wrong statement can sell what is not there.
 *
 * @param sku the merchant's name of the product
 * @param onHand units on the shelf, promised or not
 * @param reserved units promised to orders that have not taken them yet; never negative, never more than {@code onHand}
 */
public record Shelf(String sku, long onHand, long reserved) {

    /** @throws IllegalStateException if more is promised than is there, or less than nothing */
    public Shelf {
        if (reserved < 0) {
            throw new IllegalStateException("shelf " + sku + " has less than nothing reserved: " + reserved);
        }
        if (reserved > onHand) {
            throw new IllegalStateException(
                    "shelf " + sku + " is oversold: " + reserved + " of " + onHand + " reserved");
        }
    }

    /** Units nobody has been promised. */
    public long available() {
        return onHand - reserved;
    }

    Shelf reserve(long units) {
        return new Shelf(sku, onHand, Math.addExact(reserved, units));
    }

    Shelf release(long units) {
        return new Shelf(sku, onHand, reserved - units);
    }

    Shelf commit(long units) {
        return new Shelf(sku, onHand - units, reserved - units);
    }

    Shelf restock(long units) {
        return new Shelf(sku, Math.addExact(onHand, units), reserved);
    }
}
