package dev.paysaga.account.domain;

/** The words this service gives for a refusal. Strings, because an Avro enum that grows breaks old readers. */
public final class Reasons {

    /** The account does not exist, is another merchant's, or is none of the kind that is needed. */
    public static final String UNKNOWN_ACCOUNT = "UNKNOWN_ACCOUNT";

    /** The merchant has no account in the order's currency. */
    public static final String UNKNOWN_MERCHANT_ACCOUNT = "UNKNOWN_MERCHANT_ACCOUNT";

    public static final String ACCOUNT_BLOCKED = "ACCOUNT_BLOCKED";
    public static final String ACCOUNT_CLOSED = "ACCOUNT_CLOSED";

    /** The payer's account is in another currency than the order. */
    public static final String CURRENCY_MISMATCH = "CURRENCY_MISMATCH";

    public static final String INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS";

    /** The order was canceled before, so nothing will be held for it. */
    public static final String ORDER_CANCELED = "ORDER_CANCELED";

    /** Completed, tried and suspended refunds together would exceed what was captured. */
    public static final String REFUND_EXCEEDS_CAPTURED = "REFUND_EXCEEDS_CAPTURED";

    /** A person gave the suspended money back to the merchant. */
    public static final String RETURNED_TO_MERCHANT = "RETURNED_TO_MERCHANT";

    /** The wallet's balance would not fit into 64 bits. */
    public static final String BALANCE_LIMIT = "BALANCE_LIMIT";

    /** A person named an amount that is none. */
    public static final String INVALID_AMOUNT = "INVALID_AMOUNT";

    private Reasons() {}
}
