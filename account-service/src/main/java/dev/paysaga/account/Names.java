package dev.paysaga.account;

import dev.paysaga.saga.web.FieldError;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What merchants may call things. */
final class Names {

    /** Names of accounts and deposits are keys of rows and of messages; nobody needs longer ones. */
    private static final int LONGEST = 64;

    private Names() {}

    /** Control characters separate names in derived ids, so no name holds one. */
    static void check(List<FieldError> errors, String field, @Nullable String name) {
        if (name == null
                || name.isBlank()
                || name.length() > LONGEST
                || name.chars().anyMatch(Character::isISOControl)) {
            errors.add(new FieldError(
                    field, "must be text of 1 to " + LONGEST + " characters without control characters"));
        }
    }

    /** Whether amounts in this currency have minor units: not so for gold (XAU) or for no currency (XXX). */
    static boolean isCurrency(@Nullable String code) {
        return code != null
                && Currency.getAvailableCurrencies().stream()
                        .anyMatch(
                                known -> known.getCurrencyCode().equals(code) && known.getDefaultFractionDigits() >= 0);
    }
}
