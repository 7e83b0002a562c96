package dev.paysaga.inventory.domain;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shelves of one merchant that one decision may touch, already locked by whoever loaded them. A product without a
 * shelf here is one that the merchant does not carry.
 *
 * @param bySku shelves by SKU
 */
public record Shelves(Map<String, Shelf> bySku) {

    public Shelves {
        bySku = Map.copyOf(bySku);
    }

    /** Why these units cannot be reserved: the first product, in the order's own order, that falls short. */
    Optional<Shortage> shortageOf(Units wanted) {
        return wanted.bySku().entrySet().stream()
                .flatMap(line -> shortage(line.getKey(), line.getValue()).stream())
                .findFirst();
    }

    /** The same shelves after each of {@code units} was moved; others stay. */
    Shelves moved(Units units, Move move) {
        var after = new HashMap<>(bySku);
        units.bySku().forEach((sku, count) -> after.put(sku, move.apply(shelf(sku), count)));
        return new Shelves(after);
    }

    private Optional<Shortage> shortage(String sku, long wanted) {
        @Nullable Shelf shelf = bySku.get(sku);
        if (shelf == null) {
            return Optional.of(new Shortage(Reason.UNKNOWN_SKU, sku));
        }
        return shelf.available() < wanted ? Optional.of(new Shortage(Reason.OUT_OF_STOCK, sku)) : Optional.empty();
    }

    private Shelf shelf(String sku) {
        @Nullable Shelf shelf = bySku.get(sku);
        if (shelf == null) {
            throw new IllegalStateException("units of " + sku + " were promised, but there is no shelf for them");
        }
        return shelf;
    }

    /** What happens to a shelf when units are reserved, released, committed or put back. */
    interface Move {
        Shelf apply(Shelf shelf, long units);
    }

    /** The product that could not be served. */
    record Shortage(Reason reason, String sku) {}
}
