package dev.paysaga.account.domain;

import org.jspecify.annotations.Nullable;

/**
 * Who pays whom how much.
 *
 * @param payerAccount key of the account the order names as its payer, which may not exist
 * @param merchantAccount key of the account to be credited; null if the merchant has none in this currency
 * @param currency ISO 4217 code
 * @param amount minor units, at least 1
 */
public record Terms(String payerAccount, @Nullable String merchantAccount, String currency, long amount) {

    public Terms {
        if (amount <= 0) {
            throw new IllegalArgumentException("a payment is about at least one minor unit, not " + amount);
        }
    }
}
