package dev.paysaga.order.domain;

import dev.paysaga.events.RestockLine;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a merchant wants refunded, before anybody has looked at it: the body of
 * {@code POST /v1/orders/{orderId}/refunds}. Everything may be missing or senseless.
 *
 * @param refundNo the merchant's own number of the refund
 * @param amount in minor units of the order's currency
 * @param reason the merchant's own words; may be left out
 * @param restock units that go back on the shelf; may be left out
 */
public record RefundRequest(
        @Nullable String refundNo,
        @Nullable Long amount,
        @Nullable String reason,
        @Nullable List<@Nullable Line> restock) {

    private static final int MOST_LINES = 100;
    private static final int LONGEST_REASON = 500;

    /**
     * Units of one product.
     *
     * @param sku the merchant's name of the product
     * @param quantity units
     */
    public record Line(@Nullable String sku, @Nullable Long quantity) {}

    /** Checks it all, by itself: whether the order has that much to give back is for {@link Reactions} to say. */
    public Checked<RefundTerms> check() {
        var check = new Check();
        String number = check.name("refundNo", refundNo);
        long back = check.atLeast(1, "amount", amount);
        String why = check.text(LONGEST_REASON, "reason", reason);
        List<RestockLine> merged = merged(check);
        return check.failed() ? check.invalid() : new Checked.Valid<>(new RefundTerms(number, back, why, merged));
    }

    private List<RestockLine> merged(Check check) {
        var bySku = new TreeMap<String, Long>();
        if (restock != null) {
            int i = 0;
            for (Line line : check.entries(0, MOST_LINES, "restock", restock)) {
                String path = "restock[" + i++ + "]";
                Line given = line == null ? check.missing(path, new Line("-", 1L)) : line;
                bySku.merge(
                        check.name(path + ".sku", given.sku()),
                        check.units(path + ".quantity", given.quantity()),
                        (one, other) -> check.failed() ? one : Math.addExact(one, other));
            }
        }
        return bySku.entrySet().stream()
                .map(line -> new RestockLine(line.getKey(), line.getValue()))
                .toList();
    }
}
