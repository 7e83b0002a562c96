package dev.paysaga.account.domain;

import dev.paysaga.saga.EventIds;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A work order about one payment: what a person has to decide, or has decided.
 *
 * @param id derived from the order, the kind and the refund: opened once, however often its cause is repeated
 * @param refundNo the refund concerned; null if none
 * @param suspended the money in suspense for it, in minor units; 0 if none
 * @param detail what happened and what can be done, in plain words
 * @param resolution what was decided; null while it is open
 */
public record WorkItem(
        UUID id,
        Kind kind,
        UUID orderId,
        @Nullable String refundNo,
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
        HOLD_UNDECIDED
    }

    /** What a person decided, and who. */
    public record Resolution(
            String action, String actor, @Nullable String note) {}

    /** A new work order. */
    static WorkItem open(Kind kind, UUID orderId, @Nullable String refundNo, long suspended, String detail) {
        return new WorkItem(idOf(kind, orderId, refundNo), kind, orderId, refundNo, suspended, detail, null);
    }

    /** The id of the work order of this kind about this order, or this refund of it. */
    public static UUID idOf(Kind kind, UUID orderId, @Nullable String refundNo) {
        return EventIds.derive(orderId, "account", refundNo == null ? kind.name() : kind + "/" + refundNo, 0);
    }

    public boolean isOpen() {
        return resolution == null;
    }

    WorkItem resolved(Resolution how) {
        return new WorkItem(id, kind, orderId, refundNo, suspended, detail, how);
    }
}
