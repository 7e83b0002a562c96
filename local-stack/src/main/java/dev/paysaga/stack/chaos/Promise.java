package dev.paysaga.stack.chaos;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that a client was told and may rely on from then on. */
sealed interface Promise {

    /** When the client had the answer in hand. */
    Instant at();

    /** The order it is about, as far as the client knows; null when it is about none or was not told which. */
    @Nullable
    String orderId();

    /**
     * What an order is about.
     *
     * @param amount in minor units
     */
    record Terms(
            String merchant, String outTradeNo, String payer, String currency, String sku, long quantity, long amount) {

        /** The business key. */
        String key() {
            return merchant + "/" + outTradeNo;
        }
    }

    /** The order exists. */
    record Accepted(Instant at, String orderId, Terms terms) implements Promise {}

    /** The broker has a request for this order, once or several times. */
    record Requested(Instant at, Terms terms) implements Promise {
        @Override
        public @Nullable String orderId() {
            return null;
        }
    }

    /** These terms were refused, as the business key has others. */
    record Conflict(Instant at, Terms refused) implements Promise {
        @Override
        public @Nullable String orderId() {
            return null;
        }
    }

    /** A status that an order never leaves for an unrelated one: PAID is never CANCELED later, nor the other way round. */
    record Told(Instant at, String orderId, String status, String reason) implements Promise {}

    /** It will be canceled, or (not accepted) it is past that. */
    record Cancel(Instant at, String orderId, boolean accepted) implements Promise {}

    /**
     * The refund exists, or (refused) does not.
     *
     * @param amount in minor units
     * @param restock units coming back
     * @param refused the problem's slug; empty when it was accepted
     */
    record Refund(Instant at, String orderId, String refundNo, long amount, long restock, String refused)
            implements Promise {}

    /** Money has come in, once. */
    record Deposit(Instant at, String merchant, String account, String depositNo, long amount) implements Promise {
        @Override
        public @Nullable String orderId() {
            return null;
        }
    }

    /** Goods have come in, once. */
    record Receipt(Instant at, String merchant, String sku, String receiptNo, long quantity) implements Promise {
        @Override
        public @Nullable String orderId() {
            return null;
        }
    }

    /** The account is BLOCKED or CLOSED and stays so. */
    record Status(Instant at, String merchant, String account, String status) implements Promise {
        @Override
        public @Nullable String orderId() {
            return null;
        }
    }
}
