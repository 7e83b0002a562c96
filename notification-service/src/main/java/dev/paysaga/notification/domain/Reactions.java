package dev.paysaga.notification.domain;

import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.notification.domain.Notification.Kind;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything notification decides: which outcome of an order is told, and what is said. Pure.
 *
 * <pre>
 * event              what the merchant is told       once per
 * OrderPaid          currency, amount                order
 * OrderClosed        reason                          order
 * OrderRefunded      currency, amount, total so far  order and refund
 * OrderRefundFailed  currency, amount, reason        order and refund
 * </pre>
 *
 * <p>There are no states here: an outcome that is known is recorded no second time, whatever the id of the event that
 * repeats it.
 */
public final class Reactions {

    private Reactions() {}

    public static Notification on(OrderPaid paid) {
        return new Notification(
                paid.getMerchantId(),
                paid.getOrderId(),
                paid.getOutTradeNo(),
                Kind.OrderPaid,
                null,
                paid.getNotifyUrl(),
                money(paid.getCurrency(), paid.getAmount()));
    }

    public static Notification on(OrderClosed closed) {
        return new Notification(
                closed.getMerchantId(),
                closed.getOrderId(),
                closed.getOutTradeNo(),
                Kind.OrderClosed,
                null,
                closed.getNotifyUrl(),
                Map.of("reason", closed.getReason()));
    }

    public static Notification on(OrderRefunded refunded) {
        var facts = money(refunded.getCurrency(), refunded.getAmount());
        facts.put("refundedAmount", refunded.getRefundedAmount());
        return new Notification(
                refunded.getMerchantId(),
                refunded.getOrderId(),
                refunded.getOutTradeNo(),
                Kind.OrderRefunded,
                refunded.getRefundNo(),
                refunded.getNotifyUrl(),
                facts);
    }

    public static Notification on(OrderRefundFailed failed) {
        var facts = money(failed.getCurrency(), failed.getAmount());
        facts.put("reason", failed.getReason());
        return new Notification(
                failed.getMerchantId(),
                failed.getOrderId(),
                failed.getOutTradeNo(),
                Kind.OrderRefundFailed,
                failed.getRefundNo(),
                failed.getNotifyUrl(),
                facts);
    }

    private static Map<String, Object> money(String currency, long amount) {
        var facts = new LinkedHashMap<String, Object>();
        facts.put("currency", currency);
        facts.put("amount", amount);
        return facts;
    }
}
