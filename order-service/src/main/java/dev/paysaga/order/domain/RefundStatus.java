package dev.paysaga.order.domain;

import java.util.Map;
import java.util.Set;

/** How a refund stands, with the codes under which the states are stored. Codes are never renumbered. */
public enum RefundStatus {
    /** There is no refund. Never stored; what the first entry of a refund's history starts from. */
    UNSEEN(0),
    /** Asked for; account is to pay. */
    REQUESTED(1),
    /** Paid. */
    COMPLETED(2),
    /** Not paid; the money is with the merchant. */
    FAILED(3),
    /** Could not be paid; the money is in suspense until a person decides. */
    SUSPENDED(4);

    private static final Map<RefundStatus, Set<RefundStatus>> MAY_BECOME = Map.of(
            REQUESTED, Set.of(COMPLETED, FAILED, SUSPENDED),
            SUSPENDED, Set.of(COMPLETED, FAILED));

    private final int code;

    RefundStatus(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** @throws IllegalArgumentException if no state has this code */
    public static RefundStatus of(int code) {
        for (RefundStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("no refund state has the code " + code);
    }

    /** Whether its outcome is still to come. */
    public boolean isOpen() {
        return this == REQUESTED || this == SUSPENDED;
    }

    /** Whether its money and its units count against what the order has: all but a failed refund's. */
    public boolean isClaimed() {
        return isOpen() || this == COMPLETED;
    }

    boolean mayBecome(RefundStatus next) {
        return MAY_BECOME.getOrDefault(this, Set.of()).contains(next);
    }
}
