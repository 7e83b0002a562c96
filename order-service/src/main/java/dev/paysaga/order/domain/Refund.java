package dev.paysaga.order.domain;

import org.jspecify.annotations.Nullable;

/**
 * One refund of an order.
 *
 * @param terms what was asked for
 * @param status how it stands
 * @param failure why it is suspended or failed; null otherwise
 * @param version number of transitions so far
 */
public record Refund(
        RefundTerms terms, RefundStatus status, @Nullable String failure, int version) {

    /** @throws IllegalArgumentException if the parts contradict the status */
    public Refund {
        boolean paid = status == RefundStatus.REQUESTED || status == RefundStatus.COMPLETED;
        if (status == RefundStatus.UNSEEN || paid != (failure == null) || version < 1) {
            throw new IllegalArgumentException("refund " + terms.refundNo() + " cannot be " + status + " with failure "
                    + failure + " in version " + version);
        }
    }

    static Refund requested(RefundTerms terms) {
        return new Refund(terms, RefundStatus.REQUESTED, null, 1);
    }

    /** @throws IllegalStateException if its status may not become the next one */
    Refund become(RefundStatus next, @Nullable String why) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException(
                    "refund " + terms.refundNo() + " is " + status + " and cannot become " + next);
        }
        return new Refund(terms, next, why, version + 1);
    }

    public String refundNo() {
        return terms.refundNo();
    }

    public long amount() {
        return terms.amount();
    }
}
