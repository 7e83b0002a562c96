package dev.paysaga.order.domain;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRequested;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants ordered, before anybody has looked at it: the body of {@code POST /v1/orders}, or an
 * {@code OrderRequested}. Everything may be missing or senseless.
 *
 * @param outTradeNo the merchant's own number of the order
 * @param payerAccountId the wallet to charge
 * @param currency ISO 4217 code
 * @param amount the total in minor units, if its sender wants it compared with the lines; otherwise null
 * @param lines what is ordered
 * @param notifyUrl where this order's webhooks go; null for the merchant's endpoint
 */
public record OrderRequest(
        @Nullable String outTradeNo,
        @Nullable String payerAccountId,
        @Nullable String currency,
        @Nullable Long amount,
        @Nullable List<@Nullable Line> lines,
        @Nullable String notifyUrl) {

    private static final int MOST_LINES = 100;

    /**
     * One line of it.
     *
     * @param sku the merchant's name of the product
     * @param quantity units
     * @param unitPrice in minor units
     */
    public record Line(@Nullable String sku, @Nullable Long quantity, @Nullable Long unitPrice) {}

    /** What another system asked for over Kafka. */
    public static OrderRequest of(OrderRequested event) {
        List<@Nullable Line> lines = new ArrayList<>();
        event.getLines()
                .forEach(line -> lines.add(new Line(line.getSku(), line.getQuantity(), line.getUnitPrice())));
        return new OrderRequest(
                event.getOutTradeNo(),
                event.getPayerAccountId(),
                event.getCurrency(),
                event.getAmount(),
                lines,
                event.getNotifyUrl());
    }

    /**
     * Checks it all. Valid terms have one line a product: equal ones are merged, in the order of their first appearance.
     *
     * @param merchantId who sells
     */
    public Checked<Terms> check(@Nullable String merchantId) {
        var check = new Check();
        check.name("merchantId", merchantId);
        check.name("outTradeNo", outTradeNo);
        check.name("payerAccountId", payerAccountId);
        check.currency("currency", currency);
        check.url("notifyUrl", notifyUrl);
        if (check.count(1, MOST_LINES, "lines", lines)) {
            for (int i = 0; i < lines.size(); i++) {
                check(lines.get(i), "lines[" + i + "]", check);
            }
        }
        if (check.failed()) {
            return check.invalid();
        }
        List<OrderLine> merged = merged(lines, check);
        long total = check.failed() ? 0 : total(merged, check);
        return check.failed()
                ? check.invalid()
                : new Checked.Valid<>(
                        new Terms(merchantId, outTradeNo, payerAccountId, currency, total, merged, notifyUrl));
    }

    private static List<OrderLine> merged(List<Line> lines, Check check) {
        Map<String, OrderLine> bySku = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            OrderLine before = bySku.get(line.sku());
            if (before == null) {
                bySku.put(line.sku(), new OrderLine(line.sku(), line.quantity(), line.unitPrice()));
            } else if (before.getUnitPrice() == line.unitPrice()) {
                bySku.put(line.sku(), new OrderLine(line.sku(), before.getQuantity() + line.quantity(), line.unitPrice()));
            } else {
                check.refuse(
                        "lines[" + i + "].unitPrice",
                        "must be the same in all lines of one sku: " + line.sku() + " costs " + before.getUnitPrice()
                                + " in an earlier line");
            }
        }
        return List.copyOf(bySku.values());
    }

    private long total(List<OrderLine> merged, Check check) {
        try {
            long total = Terms.total(merged);
            if (total < 1) {
                check.refuse("lines", "must total at least 1 minor unit");
            } else if (amount != null && amount != total) {
                check.refuse("amount", "must equal the total of the lines, which is " + total);
            }
            return total;
        } catch (ArithmeticException e) {
            check.refuse("lines", "must total at most " + Long.MAX_VALUE + " minor units");
            return 0;
        }
    }

    private static void check(@Nullable Line line, String path, Check check) {
        if (check.present(path, line)) {
            check.name(path + ".sku", line.sku());
            check.units(path + ".quantity", line.quantity());
            check.atLeast(0, path + ".unitPrice", line.unitPrice());
        }
    }
}
