package dev.paysaga.account.domain;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The two accounts of one payment, as far as they exist.
 *
 * @param payer the account the order names as its payer, of whatever kind; locked by whoever loaded it
 * @param merchant the merchant's account in the order's currency; only its status matters here
 */
public record Parties(@Nullable Account payer, @Nullable Account merchant) {

    /** Nobody: for an order that account has not seen. */
    public static final Parties NONE = new Parties(null, null);

    /** The payer's account of a payment that has a hold: it was there then, and accounts are never deleted. */
    Account knownPayer() {
        return Objects.requireNonNull(payer, "the account of a payment's payer is missing");
    }

    /** The merchant's account of a payment that has a hold. */
    Account knownMerchant() {
        return Objects.requireNonNull(merchant, "the merchant's account of a payment is missing");
    }

    Parties withPayer(Account next) {
        return new Parties(next, merchant);
    }
}
