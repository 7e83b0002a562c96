package dev.paysaga.order.domain;

import dev.paysaga.events.OrderLine;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an order is about. Never changes; what {@link OrderRequest#check} let pass.
 *
 * @param merchantId who sells
 * @param outTradeNo the merchant's own number of the order; unique per merchant for ever
 * @param payerAccountId the wallet to charge, by the merchant's name for it
 * @param currency ISO 4217 code
 * @param amount total of the lines, in minor units; at least 1
 * @param lines one for each product; at least one
 * @param notifyUrl where this order's webhooks go; null for the merchant's endpoint
 */
public record Terms(
        String merchantId,
        String outTradeNo,
        String payerAccountId,
        String currency,
        long amount,
        List<OrderLine> lines,
        @Nullable String notifyUrl) {

    /** @throws IllegalArgumentException if the lines repeat a product, or do not add up to the amount */
    public Terms {
        lines = List.copyOf(lines);
        if (lines.stream().map(OrderLine::getSku).distinct().count() != lines.size()) {
            throw new IllegalArgumentException(
                    "order " + merchantId + "/" + outTradeNo + " has two lines of one product");
        }
        if (amount < 1 || amount != total(lines)) {
            throw new IllegalArgumentException("order " + merchantId + "/" + outTradeNo + " cannot be for " + amount
                    + ": its lines total " + total(lines));
        }
    }

    /** Whether both ask for the same thing, in whatever order the lines are. */
    boolean sameAs(Terms other) {
        return amount == other.amount
                && merchantId.equals(other.merchantId)
                && outTradeNo.equals(other.outTradeNo)
                && payerAccountId.equals(other.payerAccountId)
                && currency.equals(other.currency)
                && Objects.equals(notifyUrl, other.notifyUrl)
                && new HashSet<>(lines).equals(new HashSet<>(other.lines));
    }

    /** Units by product. */
    Map<String, Long> units() {
        return lines.stream().collect(Collectors.toMap(OrderLine::getSku, OrderLine::getQuantity));
    }

    /** @throws ArithmeticException if it is more than a long holds */
    static long total(List<OrderLine> lines) {
        long total = 0;
        for (OrderLine line : lines) {
            total = Math.addExact(total, Math.multiplyExact(line.getQuantity(), line.getUnitPrice()));
        }
        return total;
    }
}
