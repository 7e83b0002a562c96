package dev.paysaga.reconciliation;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as it must be. Rule and subject are its identity: the same difference, found again, has the same.
 *
 * @param rule the rule that is broken, for example {@code order-without-its-capture}
 * @param subject whose: an order id, an order id and a refund, an event id, an account, a product, a currency
 * @param detail what was found and what was expected
 * @param id the order or event concerned; null when it is an account, a product or a currency
 * @param merchantId whose it is; null when nobody knows
 * @param currency ISO 4217 code; null when amount is none or counts units
 * @param amount how far off, in minor units or units of stock: what was found less what was expected; null when it is not a
 *     matter of quantity
 */
public record Difference(
        String rule,
        String subject,
        String detail,
        @Nullable UUID id,
        @Nullable String merchantId,
        @Nullable String currency,
        @Nullable Long amount) {

    /** One that names nothing but itself. */
    public Difference(String rule, String subject, String detail) {
        this(rule, subject, detail, null, null, null, null);
    }

    /** When the saga concerned began; null when none is, and only a look at everything can tell. */
    public @Nullable Instant since() {
        return id == null ? null : Window.time(id);
    }

    @Override
    public String toString() {
        return rule + "  " + subject + ": " + detail;
    }
}
