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
    public record Line(
            @Nullable String sku,
            @Nullable Long quantity,
            @Nullable Long unitPrice) {}

    /** What another system asked for over Kafka. */
    public static OrderRequest of(OrderRequested event) {
        List<@Nullable Line> lines = new ArrayList<>();
        event.getLines().forEach(line -> lines.add(new Line(line.getSku(), line.getQuantity(), line.getUnitPrice())));
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
        String merchant = check.name("merchantId", merchantId);
        String number = check.name("outTradeNo", outTradeNo);
        String payer = check.name("payerAccountId", payerAccountId);
        String code = check.currency("currency", currency);
        String url = check.url("notifyUrl", notifyUrl);
        List<OrderLine> all = lines(check);
        List<OrderLine> merged = check.failed() ? List.of() : merged(all, check);
        long total = check.failed() ? 0 : total(merged, check);
        return check.failed()
                ? check.invalid()
                : new Checked.Valid<>(new Terms(merchant, number, payer, code, total, merged, url));
    }

    private List<OrderLine> lines(Check check) {
        List<OrderLine> checked = new ArrayList<>();
        for (Line line : check.entries(1, MOST_LINES, "lines", lines)) {
            String path = "lines[" + checked.size() + "]";
            Line given = line == null ? check.missing(path, new Line("-", 1L, 0L)) : line;
            checked.add(new OrderLine(
                    check.name(path + ".sku", given.sku()),
                    check.units(path + ".quantity", given.quantity()),
                    check.atLeast(0, path + ".unitPrice", given.unitPrice())));
        }
        return checked;
    }

    private static List<OrderLine> merged(List<OrderLine> lines, Check check) {
        Map<String, OrderLine> bySku = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            OrderLine line = lines.get(i);
            OrderLine before = bySku.get(line.getSku());
            if (before == null) {
                bySku.put(line.getSku(), line);
            } else if (before.getUnitPrice() == line.getUnitPrice()) {
                long both = Math.addExact(before.getQuantity(), line.getQuantity());
                bySku.put(line.getSku(), new OrderLine(line.getSku(), both, line.getUnitPrice()));
            } else {
                check.refuse(
                        "lines[" + i + "].unitPrice",
                        "must be the same in all lines of one sku: " + line.getSku() + " costs " + before.getUnitPrice()
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
}
