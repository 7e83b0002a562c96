package dev.paysaga.notification.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One thing a merchant is told about one of its orders.
 *
 * @param merchantId whom to tell
 * @param orderId the order it is about
 * @param outTradeNo the merchant's own number of that order
 * @param kind what happened
 * @param refundNo the refund it is about; null for the order as a whole
 * @param notifyUrl where to send it instead of the merchant's endpoint; null for the endpoint
 * @param facts what else there is to tell, by name: text, and amounts as whole minor units
 */
public record Notification(
        String merchantId,
        UUID orderId,
        String outTradeNo,
        Kind kind,
        @Nullable String refundNo,
        @Nullable String notifyUrl,
        Map<String, Object> facts) {

    /** @throws IllegalArgumentException if it is about a refund and does not say which, or the other way round */
    public Notification {
        if ((refundNo != null) != kind.aboutRefund) {
            throw new IllegalArgumentException("a notification of " + kind + " cannot be about refund " + refundNo);
        }
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** The outcomes worth telling. The names are those of the events, and the published ones. */
    public enum Kind {
        OrderPaid(false),
        OrderClosed(false),
        OrderRefunded(true),
        OrderRefundFailed(true);

        private final boolean aboutRefund;

        Kind(boolean aboutRefund) {
            this.aboutRefund = aboutRefund;
        }
    }
}
