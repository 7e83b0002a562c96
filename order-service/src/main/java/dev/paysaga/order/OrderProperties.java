package dev.paysaga.order;

import dev.paysaga.order.domain.OrderStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the order service, prefix {@code order}.
 *
 * @param deadlines how long an order may wait
 */
@ConfigurationProperties("order")
record OrderProperties(@DefaultValue Deadlines deadlines) {

    /**
     * How long an order may stay in a state, counted from entering it, by the database's clock.
     *
     * @param unconfirmed before the pivot; then it is canceled
     * @param unanswered after the pivot, while canceling and while refunding; then a person is told
     * @param poll how often deadlines are looked at
     * @param batch how many orders are looked at in one transaction, at most
     */
    record Deadlines(
            @DefaultValue("60s") Duration unconfirmed,
            @DefaultValue("5m") Duration unanswered,
            @DefaultValue("1s") Duration poll,
            @DefaultValue("200") int batch) {

        Deadlines {
            if (!unconfirmed.isPositive() || !unanswered.isPositive() || !poll.isPositive() || batch < 1) {
                throw new IllegalArgumentException(
                        "order.deadlines.*: durations must be positive, and a batch has at least one order");
            }
        }

        /** How long an order may stay in this state; null if for ever. */
        @Nullable
        Duration of(OrderStatus status) {
            return switch (status) {
                case CREATED, STOCK_RESERVED -> unconfirmed;
                case CONFIRMED, CANCELING, REFUNDING -> unanswered;
                case UNSEEN, PAID, CANCELED, PARTIALLY_REFUNDED, REFUNDED -> null;
            };
        }
    }
}
