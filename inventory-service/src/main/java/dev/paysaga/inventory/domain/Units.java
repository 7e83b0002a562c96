package dev.paysaga.inventory.domain;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.RestockLine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * How many units of which products, in the order in which the products were first named. Equal SKUs are merged here,
 * before anything is decided: two lines that fit one by one need not fit together.
 *
 * @param bySku units by SKU; each at least 1
 */
public record Units(Map<String, Long> bySku) {

    public static final Units NONE = new Units(Map.of());

    /** @throws IllegalArgumentException if a product is named without a single unit */
    public Units {
        bySku = Collections.unmodifiableMap(new LinkedHashMap<>(bySku));
        bySku.forEach((sku, units) -> {
            if (units < 1) {
                throw new IllegalArgumentException(units + " units of " + sku + ": at least 1 is needed");
            }
        });
    }

    /** @throws ArithmeticException if the lines of one product add up to more than a {@code long} holds */
    public static Units ordered(List<OrderLine> lines) {
        return merged(lines, OrderLine::getSku, OrderLine::getQuantity);
    }

    /** @throws ArithmeticException if the lines of one product add up to more than a {@code long} holds */
    public static Units returned(List<RestockLine> lines) {
        return merged(lines, RestockLine::getSku, RestockLine::getQuantity);
    }

    public boolean isEmpty() {
        return bySku.isEmpty();
    }

    public Set<String> skus() {
        return bySku.keySet();
    }

    /** Units of this product; 0 if it is not named. */
    public long of(String sku) {
        return bySku.getOrDefault(sku, 0L);
    }

    private static <L> Units merged(List<L> lines, Function<L, String> sku, ToLongFunction<L> quantity) {
        var bySku = new LinkedHashMap<String, Long>();
        lines.forEach(line -> bySku.merge(sku.apply(line), quantity.applyAsLong(line), Math::addExact));
        return new Units(bySku);
    }
}
