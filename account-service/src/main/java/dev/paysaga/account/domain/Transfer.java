package dev.paysaga.account.domain;

import dev.paysaga.saga.EventIds;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of the ledger: it takes from one account what it gives to another, so it balances by its shape. Never changed,
 * never deleted; a correction is another transfer.
 *
 * <p>Its id derives from business identity, so that it stays unique when every memory of events is gone.
 *
 * @param debitAccount key of the account that gives
 * @param creditAccount key of the account that takes
 * @param amount minor units, at least 1
 * @param orderId the order it belongs to; null for a deposit, and for what a person does about a difference
 * @param refundNo the refund it belongs to; null if none
 * @param pendingOf the hold that this capture or void ends; null otherwise
 * @param workOrderId the work order about a difference that it belongs to; null if none
 */
public record Transfer(
        UUID id,
        Kind kind,
        String debitAccount,
        String creditAccount,
        long amount,
        String currency,
        @Nullable UUID orderId,
        @Nullable String refundNo,
        @Nullable UUID pendingOf,
        @Nullable UUID workOrderId) {

    /** Producer in derived ids; never changed, or a replay would move money again. */
    private static final String PRODUCER = "account";

    /** What a transfer does. Stored by name. */
    public enum Kind {
        /** Money comes in from outside. */
        DEPOSIT,
        /** A pending transfer: grows what the debit account has promised away, moves nothing. */
        HOLD,
        /** Ends a hold and moves its amount. */
        CAPTURE,
        /** Ends a hold and moves nothing. */
        VOID,
        /** From the merchant back to the payer. */
        REFUND,
        /** A refund nobody would take goes from the merchant into suspense. */
        SUSPEND,
        /** Out of suspense to where a person wants it: another account, or outside the ledger. */
        PAY_OUT,
        /** Out of suspense to where it came from: the merchant, or the account that a difference was about. */
        RETURN,
        /** A difference, as a person had it posted: from an account that has too much into suspense, or the other way. */
        ADJUSTMENT;

        /** Whether it changes what accounts own, and not only what is held of it. */
        public boolean movesMoney() {
            return this != HOLD && this != VOID;
        }
    }

    public Transfer {
        if (amount <= 0) {
            throw new IllegalArgumentException("a transfer moves at least one minor unit, not " + amount);
        }
        if (debitAccount.equals(creditAccount)) {
            throw new IllegalArgumentException("a transfer needs two accounts, not " + debitAccount + " twice");
        }
        if ((pendingOf != null) != (kind == Kind.CAPTURE || kind == Kind.VOID)) {
            throw new IllegalArgumentException("a capture or void ends a hold, and nothing else does: " + kind);
        }
        if (kind == Kind.ADJUSTMENT ? workOrderId == null : workOrderId != null && orderId != null) {
            throw new IllegalArgumentException("a difference belongs to its work order, and to no order: " + kind);
        }
    }

    /**
     * Money from outside into a wallet or a merchant's account.
     *
     * @param depositNo the merchant's own number of the deposit; it makes the transfer unique
     */
    public static Transfer deposit(Account account, String depositNo, long amount) {
        // Names are separated by a character that none of them can hold.
        UUID id = EventIds.named(0, String.join("\n", PRODUCER, "DEPOSIT", account.merchantId(), depositNo));
        return new Transfer(
                id,
                Kind.DEPOSIT,
                Account.external(account.currency()),
                account.key(),
                amount,
                account.currency(),
                null,
                null,
                null,
                null);
    }

    static Transfer hold(UUID orderId, Account payer, Account merchant, long amount) {
        return new Transfer(
                id(orderId, Kind.HOLD, null),
                Kind.HOLD,
                payer.key(),
                merchant.key(),
                amount,
                payer.currency(),
                orderId,
                null,
                null,
                null);
    }

    /** Ends the order's hold. */
    static Transfer ending(Kind kind, Payment payment, String creditAccount) {
        Terms terms = payment.knownTerms();
        return new Transfer(
                id(payment.orderId(), kind, null),
                kind,
                terms.payerAccount(),
                creditAccount,
                terms.amount(),
                terms.currency(),
                payment.orderId(),
                null,
                id(payment.orderId(), Kind.HOLD, null),
                null);
    }

    /** Moves money of a captured payment. */
    static Transfer moving(
            Kind kind, Payment payment, @Nullable String refundNo, String debit, String credit, long amount) {
        return new Transfer(
                id(payment.orderId(), kind, refundNo),
                kind,
                debit,
                credit,
                amount,
                payment.knownTerms().currency(),
                payment.orderId(),
                refundNo,
                null,
                null);
    }

    /**
     * What a person does about a difference, between an account and suspense.
     *
     * @param item the work order about what is in suspense, or missing there
     * @param account key of the account that the money leaves for suspense, or comes to from there
     * @param into how much goes into suspense; negative if it comes out of there
     */
    static Transfer adjusting(Kind kind, WorkItem item, String account, long into) {
        String currency = Objects.requireNonNull(item.currency(), "a difference has a currency");
        String suspense = Account.suspense(currency);
        return new Transfer(
                id(item.id(), kind, null),
                kind,
                into > 0 ? account : suspense,
                into > 0 ? suspense : account,
                Math.absExact(into),
                currency,
                null,
                null,
                null,
                item.id());
    }

    private static UUID id(UUID subject, Kind kind, @Nullable String refundNo) {
        return EventIds.derive(subject, PRODUCER, refundNo == null ? kind.name() : kind + "/" + refundNo, 0);
    }
}
