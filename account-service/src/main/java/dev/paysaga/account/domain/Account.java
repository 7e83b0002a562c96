package dev.paysaga.account.domain;

import org.jspecify.annotations.Nullable;

/**
 * An account of the ledger.
 *
 * <p>Only a wallet carries its balance, exact and guarded: nobody spends what is not there. The others take part in so
 * many postings that their balance is derived from the transfers, and their {@code posted} and {@code held} are 0 here.
 *
 * @param merchantId whose it is; {@value #SYSTEM} for the ledger's own accounts
 * @param accountId the merchant's name for it; holds no slash
 * @param currency ISO 4217 code
 * @param posted what a wallet owns, in minor units of {@code currency}
 * @param held the part of {@code posted} that open holds have promised away
 */
public record Account(
        String merchantId, String accountId, Kind kind, String currency, Status status, long posted, long held) {

    /** Owner of the accounts that belong to no merchant. No merchant may be called so. */
    public static final String SYSTEM = "~";

    /** What an account is for. */
    public enum Kind {
        /** A payer's money. */
        WALLET,
        /** A merchant's takings, one per currency. */
        MERCHANT,
        /** Money whose destiny is unknown, one per currency. */
        SUSPENSE,
        /** The world outside the ledger, one per currency: its balance is minus what all the others have. */
        EXTERNAL
    }

    /** Stored by name. */
    public enum Status {
        OPEN,
        BLOCKED,
        CLOSED
    }

    public Account {
        if (accountId.indexOf('/') >= 0) {
            throw new IllegalArgumentException("an account's name holds no slash: " + accountId);
        }
        if (held < 0) {
            throw new IllegalStateException("negative hold on " + accountId + " of " + merchantId + ": " + held);
        }
        if (held > posted) {
            throw new IllegalStateException(
                    "more held than owned on " + accountId + " of " + merchantId + ": " + held + " of " + posted);
        }
    }

    /** A new account, open and empty. */
    public static Account open(String merchantId, String accountId, Kind kind, String currency) {
        return new Account(merchantId, accountId, kind, currency, Status.OPEN, 0, 0);
    }

    /** The key of a merchant's account. */
    public static String key(String merchantId, String accountId) {
        return merchantId + "/" + accountId;
    }

    /** The key of a currency's suspense account. */
    public static String suspense(String currency) {
        return key(SYSTEM, Kind.SUSPENSE + "-" + currency);
    }

    /** The key of a currency's external account. */
    public static String external(String currency) {
        return key(SYSTEM, Kind.EXTERNAL + "-" + currency);
    }

    /** Unique in the ledger. */
    public String key() {
        return key(merchantId, accountId);
    }

    /** What may be spent, in minor units; never negative. */
    public long available() {
        return posted - held;
    }

    /** Why nothing new may be promised to or by this account; null while it is open. */
    public @Nullable String refusal() {
        return switch (status) {
            case OPEN -> null;
            case BLOCKED -> Reasons.ACCOUNT_BLOCKED;
            case CLOSED -> Reasons.ACCOUNT_CLOSED;
        };
    }

    /** Why this wallet may not be given {@code amount}; null if it may. */
    public @Nullable String refusalToTake(long amount) {
        String refusal = refusal();
        return refusal == null && posted > Long.MAX_VALUE - amount ? Reasons.BALANCE_LIMIT : refusal;
    }

    public Account with(Status next) {
        return new Account(merchantId, accountId, kind, currency, next, posted, held);
    }

    /** @throws ArithmeticException if the balance would not fit into a long */
    public Account credit(long amount) {
        return new Account(merchantId, accountId, kind, currency, status, Math.addExact(posted, amount), held);
    }

    /** @throws IllegalStateException if there is less than that available */
    Account debit(long amount) {
        return new Account(merchantId, accountId, kind, currency, status, Math.subtractExact(posted, amount), held);
    }

    /** @throws IllegalStateException if there is less than that available */
    Account hold(long amount) {
        return new Account(merchantId, accountId, kind, currency, status, posted, Math.addExact(held, amount));
    }

    Account capture(long amount) {
        return new Account(
                merchantId,
                accountId,
                kind,
                currency,
                status,
                Math.subtractExact(posted, amount),
                Math.subtractExact(held, amount));
    }

    Account release(long amount) {
        return new Account(merchantId, accountId, kind, currency, status, posted, Math.subtractExact(held, amount));
    }
}
