package dev.paysaga.saga.workorder;

import dev.paysaga.wire.Operations;
import dev.paysaga.wire.Operations.Where;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something only a person may decide.
 *
 * @param id derived from what led to it, so that a repeated cause opens no second one
 * @param kind what it is about, for example {@code REFUND_SUSPENDED} or {@code EVENT_PARKED}
 * @param aggregateId what is concerned
 * @param merchantId whose it is; null if the starter could not know
 * @param refundNo the refund concerned; null if none is
 * @param currency ISO 4217 code; null if no money is in suspense for it
 * @param amount money in suspense for it, in minor units, negative if it is missing there; null if none is
 * @param detail what happened and what can be done, in plain words
 * @param status where it stands
 * @param openedAt by the database's clock
 * @param resolution what was decided; null while it is open
 */
public record WorkOrder(
        UUID id,
        String kind,
        UUID aggregateId,
        @Nullable String merchantId,
        @Nullable String refundNo,
        @Nullable String currency,
        @Nullable Long amount,
        String detail,
        Status status,
        @Nullable Instant openedAt,
        @Nullable Resolution resolution) {

    /** Stands open until a person has decided and the decision is carried out. */
    public enum Status {
        OPEN,
        RESOLVED
    }

    /**
     * What a person decided.
     *
     * @param action for example {@code RETRY}, {@code PAY_OUT} or {@code SKIP}
     * @param actor who decided
     * @param note why, in the person's own words; null if nothing was said
     * @param resolvedAt by the database's clock; null until stored
     */
    public record Resolution(
            String action,
            String actor,
            @Nullable String note,
            @Nullable Instant resolvedAt) {

        public Resolution(String action, String actor, @Nullable String note) {
            this(action, actor, note, null);
        }
    }

    public WorkOrder {
        if ((currency == null) != (amount == null)) {
            throw new IllegalArgumentException("a work order has both currency and amount or neither: " + id);
        }
    }

    /** A work order about something other than money. */
    public static WorkOrder about(UUID id, String kind, UUID aggregateId, @Nullable String merchantId, String detail) {
        return new WorkOrder(id, kind, aggregateId, merchantId, null, null, null, detail, Status.OPEN, null, null);
    }

    /**
     * A work order about money whose destiny is unknown.
     *
     * @param amount in minor units, what is in suspense for it
     */
    public static WorkOrder aboutMoney(
            UUID id,
            String kind,
            UUID aggregateId,
            String merchantId,
            @Nullable String refundNo,
            String currency,
            long amount,
            String detail) {
        return new WorkOrder(
                id, kind, aggregateId, merchantId, refundNo, currency, amount, detail, Status.OPEN, null, null);
    }

    /** It in the terms of a language. */
    public Operations.Question question() {
        return new Operations.Question(id, aggregateId, merchantId, kind, currency, amount, detail);
    }

    /** What was decided about it, in the terms of a language. */
    public Operations.Answer answeredBy(Resolution how) {
        return new Operations.Answer(
                id, aggregateId, merchantId, how.action(), refundNo, amount, how.actor(), how.note(), Where.UNSAID);
    }

    public boolean isOpen() {
        return status == Status.OPEN;
    }
}
