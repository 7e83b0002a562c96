package dev.paysaga.order.domain;

import dev.paysaga.events.RestockLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a refund is about. Never changes; what {@link RefundRequest#check} let pass.
 *
 * @param refundNo the merchant's own number of the refund; unique within the order
 * @param amount in minor units of the order's currency; at least 1
 * @param reason the merchant's own words; null if it gave none
 * @param restock units that go back on the shelf, one line for each product, sorted by it; often empty
 */
public record RefundTerms(
        String refundNo, long amount, @Nullable String reason, List<RestockLine> restock) {

    /** @throws IllegalArgumentException if the amount is below 1 */
    public RefundTerms {
        if (amount < 1) {
            throw new IllegalArgumentException("refund " + refundNo + " cannot be for " + amount);
        }
        restock = List.copyOf(restock);
    }
}
