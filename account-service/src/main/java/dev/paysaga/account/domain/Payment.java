package dev.paysaga.account.domain;

import dev.paysaga.saga.ImpossibleTransition;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one order has asked of its payer's money, and how that stands.
 *
 * @param merchantId empty while {@link Status#UNSEEN}
 * @param terms null while nothing was asked to be held: {@link Status#UNSEEN}, or {@link Status#CANCELED} in advance
 * @param reason why it was declined; null otherwise
 * @param refunds in the order in which they were asked for
 * @param version grows with every change
 */
public record Payment(
        UUID orderId,
        String merchantId,
        Status status,
        @Nullable Terms terms,
        @Nullable String reason,
        List<PaymentRefund> refunds,
        int version) {

    /** Stored as its code, which is never renumbered. 1, 2 and 4 are kept for payment rails that answer later. */
    public enum Status {
        /** Not stored: account has heard nothing of the order. */
        UNSEEN(0),
        /** The funds are held. */
        AUTHORIZED(3),
        /** The funds are the merchant's; also when part of them was paid back. */
        CAPTURED(5),
        /** Captured, and a refund is tried or in suspense. */
        REFUNDING(6),
        /** Captured, and all of it was paid back. */
        REFUNDED(7),
        /** The hold was voided. */
        REVERSED(8),
        /** Declined. */
        FAILED(9),
        /** Canceled before anything was held: the fence against a request that comes late. */
        CANCELED(10);

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
            throw new IllegalArgumentException("no payment's status has the code " + code);
        }

        private Set<Status> successors() {
            return switch (this) {
                case UNSEEN -> EnumSet.of(AUTHORIZED, FAILED, CANCELED);
                case AUTHORIZED -> EnumSet.of(CAPTURED, REVERSED);
                case CAPTURED, REFUNDING -> EnumSet.of(CAPTURED, REFUNDING, REFUNDED);
                case REFUNDED -> EnumSet.of(REFUNDED);
                case REVERSED, FAILED, CANCELED -> EnumSet.noneOf(Status.class);
            };
        }
    }

    public Payment {
        refunds = List.copyOf(refunds);
        if (terms == null && status != Status.UNSEEN && status != Status.CANCELED) {
            throw new IllegalStateException("a payment that is " + status + " has terms: order " + orderId);
        }
        if (terms != null && claimed(refunds) > terms.amount()) {
            throw new IllegalStateException("refunds exceed what was captured for order " + orderId);
        }
    }

    /** A payment account has heard nothing of. */
    public static Payment unseen(UUID orderId) {
        return new Payment(orderId, "", Status.UNSEEN, null, null, List.of(), 0);
    }

    /** What was paid back, to the payer or elsewhere, in minor units. */
    public long refundedAmount() {
        return refunds.stream()
                .filter(PaymentRefund::isPaid)
                .mapToLong(PaymentRefund::amount)
                .reduce(0, Math::addExact);
    }

    /** The refund of this number, if it was ever asked for. */
    public Optional<PaymentRefund> refund(String refundNo) {
        return refunds.stream()
                .filter(refund -> refund.refundNo().equals(refundNo))
                .findFirst();
    }

    /** The same payment with the refunds that are stored apart from it. */
    public Payment withAll(List<PaymentRefund> stored) {
        return new Payment(orderId, merchantId, status, terms, reason, stored, version);
    }

    Terms knownTerms() {
        return Objects.requireNonNull(terms, "the payment has no terms");
    }

    /** Whether this much more can be paid back: what is tried or in suspense counts as gone. */
    boolean canRefund(long amount) {
        return amount <= knownTerms().amount() - claimed(refunds);
    }

    Payment become(Status next) {
        return new Payment(orderId, merchantId, checked(next), terms, reason, refunds, version + 1);
    }

    Payment authorized(String merchant, Terms agreed) {
        return new Payment(orderId, merchant, checked(Status.AUTHORIZED), agreed, null, refunds, version + 1);
    }

    Payment declined(String merchant, Terms asked, String because) {
        return new Payment(orderId, merchant, checked(Status.FAILED), asked, because, refunds, version + 1);
    }

    Payment fenced(String merchant) {
        return new Payment(orderId, merchant, checked(Status.CANCELED), null, null, refunds, version + 1);
    }

    /** With this refund, new or changed; the status follows from all of them. */
    Payment with(PaymentRefund changed) {
        var next = new ArrayList<>(refunds);
        int place = placeOf(changed.refundNo());
        if (place < 0) {
            next.add(changed);
        } else {
            next.set(place, changed);
        }
        return new Payment(orderId, merchantId, checked(statusAfter(next)), terms, reason, next, version + 1);
    }

    private int placeOf(String refundNo) {
        for (int i = 0; i < refunds.size(); i++) {
            if (refunds.get(i).refundNo().equals(refundNo)) {
                return i;
            }
        }
        return -1;
    }

    private Status statusAfter(List<PaymentRefund> next) {
        if (next.stream().anyMatch(PaymentRefund::isOpen)) {
            return Status.REFUNDING;
        }
        long paid = next.stream()
                .filter(PaymentRefund::isPaid)
                .mapToLong(PaymentRefund::amount)
                .reduce(0, Math::addExact);
        return paid == knownTerms().amount() ? Status.REFUNDED : Status.CAPTURED;
    }

    private Status checked(Status next) {
        if (!status.successors().contains(next)) {
            throw new ImpossibleTransition(this, next);
        }
        return next;
    }

    private static long claimed(List<PaymentRefund> refunds) {
        return refunds.stream()
                .filter(PaymentRefund::isClaimed)
                .mapToLong(PaymentRefund::amount)
                .reduce(0, Math::addExact);
    }

    @Override
    public String toString() {
        return "the " + status + " payment of order " + orderId;
    }
}
