package dev.paysaga.account.domain;

import dev.paysaga.events.WorkOrderOpened;
import dev.paysaga.events.WorkOrderResolved;
import dev.paysaga.saga.EventIds;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A work order: what a person has to decide about a payment or a difference, or has decided.
 *
 * @param id derived from the order (or the difference), the kind and the refund: opened once, however often its cause is
 *     repeated
 * @param orderId what it is about: an order, or with a difference perhaps an id derived from an account's name
 * @param refundNo the refund concerned; null if none
 * @param currency of what is in suspense; null if nothing is
 * @param suspended the money in suspense for it, in minor units; negative if it is missing there; 0 if none
 * @param detail what happened and what can be done, in plain words
 * @param resolution what was decided; null while it is open
 */
public record WorkItem(
        UUID id,
        Kind kind,
        UUID orderId,
        String merchantId,
        @Nullable String refundNo,
        @Nullable String currency,
        long suspended,
        String detail,
        @Nullable Resolution resolution) {

    /** Stored by name. */
    public enum Kind {
        /** A capture whose merchant account was not open is in suspense. */
        CAPTURE_SUSPENDED,
        /** A refund that the payer's account refused is in suspense. */
        REFUND_SUSPENDED,
        /** A hold that nobody captures or voids. */
        HOLD_UNDECIDED,
        /** A difference that a person has posted is in suspense. */
        DIFFERENCE_SUSPENDED,
        /** A difference that a person wanted to post could not be. */
        DIFFERENCE_NOT_POSTED;

        /** Whether it is about a difference that a person found, and not about a payment. */
        public boolean isDifference() {
            return this == DIFFERENCE_SUSPENDED || this == DIFFERENCE_NOT_POSTED;
        }
    }

    /** What a person decided, and who. */
    public record Resolution(
            String action, String actor, @Nullable String note) {}

    public WorkItem {
        if ((currency == null) != (suspended == 0)) {
            throw new IllegalArgumentException("what is in suspense has a currency, and nothing has none: " + id);
        }
    }

    /** A new work order about a payment. */
    static WorkItem open(Kind kind, Payment payment, @Nullable String refundNo, long suspended, String detail) {
        return new WorkItem(
                idOf(kind, payment.orderId(), refundNo),
                kind,
                payment.orderId(),
                payment.merchantId(),
                refundNo,
                suspended == 0 ? null : payment.knownTerms().currency(),
                suspended,
                detail,
                null);
    }

    /**
     * The id of the work order of this kind about this order, or this refund of it.
     *
     * @param cause the order; with a difference, the work order by which a person had it posted
     */
    public static UUID idOf(Kind kind, UUID cause, @Nullable String refundNo) {
        return EventIds.derive(cause, "account", refundNo == null ? kind.name() : kind + "/" + refundNo, 0);
    }

    public boolean isOpen() {
        return resolution == null;
    }

    WorkItem resolved(Resolution how) {
        return new WorkItem(id, kind, orderId, merchantId, refundNo, currency, suspended, detail, how);
    }

    /** The same question, with what has become of the last attempt to answer it on a line before. */
    WorkItem triedAgain(String outcome) {
        String question = detail.substring(detail.indexOf('\n') + 1);
        return new WorkItem(
                id, kind, orderId, merchantId, refundNo, currency, suspended, outcome + "\n" + question, resolution);
    }

    WorkOrderOpened opened() {
        return opened(detail);
    }

    WorkOrderOpened opened(String words) {
        return new WorkOrderOpened(
                id, orderId, merchantId, kind.name(), currency, currency == null ? null : suspended, words);
    }

    WorkOrderResolved closed() {
        Resolution how = Objects.requireNonNull(resolution, "the work order is open");
        return new WorkOrderResolved(id, orderId, merchantId, how.action(), how.actor());
    }
}
