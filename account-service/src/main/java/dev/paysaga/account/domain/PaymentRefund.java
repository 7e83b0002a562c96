package dev.paysaga.account.domain;

import dev.paysaga.events.RestockLine;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One refund of a payment, and how it stands.
 *
 * @param refundNo the merchant's own number, unique within the order
 * @param amount minor units, at least 1
 * @param restock what goes back on the shelf once it is paid; handed on, never looked at
 * @param attempts how often the payer's account was tried
 * @param nextAttemptAt when it is tried again; null unless {@link Status#TRYING}
 * @param reason why it was refused; null if it was not
 */
public record PaymentRefund(
        String refundNo,
        long amount,
        List<RestockLine> restock,
        Status status,
        int attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable String reason) {

    /** Stored as its code, which is never renumbered. */
    public enum Status {
        /** Refused by the payer's account, and due again. */
        TRYING(1),
        /** The payer has the money. */
        COMPLETED(2),
        /** Over the bound; nothing was moved. */
        FAILED(3),
        /** In suspense until a person decides. */
        SUSPENDED(4),
        /** A person had it paid out of suspense. */
        PAID_OUT(5),
        /** A person gave it back to the merchant. */
        RETURNED(6);

        private final int code;

        Status(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /** @throws IllegalArgumentException if no status has this code */
        public static Status of(int code) {
            for (Status status : values()) {
                if (status.code == code) {
                    return status;
                }
            }
            throw new IllegalArgumentException("no refund's status has the code " + code);
        }
    }

    public PaymentRefund {
        restock = List.copyOf(restock);
        if (amount <= 0) {
            throw new IllegalArgumentException("a refund is about at least one minor unit, not " + amount);
        }
        if ((nextAttemptAt != null) != (status == Status.TRYING)) {
            throw new IllegalStateException("a refund is due again while it is tried, and only then: " + status);
        }
    }

    /** Asked for, and not tried yet. */
    static PaymentRefund asked(String refundNo, long amount, List<RestockLine> restock, Status status) {
        return new PaymentRefund(refundNo, amount, restock, status, 0, null, null);
    }

    /** Whether its amount counts against what was captured: all but those whose money stayed with the merchant. */
    boolean isClaimed() {
        return status != Status.FAILED && status != Status.RETURNED;
    }

    boolean isPaid() {
        return status == Status.COMPLETED || status == Status.PAID_OUT;
    }

    boolean isOpen() {
        return status == Status.TRYING || status == Status.SUSPENDED;
    }

    PaymentRefund become(Status next) {
        return new PaymentRefund(refundNo, amount, restock, next, attempts, null, reason);
    }

    PaymentRefund become(Status next, @Nullable String because) {
        return new PaymentRefund(refundNo, amount, restock, next, attempts, null, because);
    }

    /** After one more attempt. */
    PaymentRefund tried(Status next, @Nullable Instant again, @Nullable String because) {
        return new PaymentRefund(refundNo, amount, restock, next, attempts + 1, again, because);
    }
}
