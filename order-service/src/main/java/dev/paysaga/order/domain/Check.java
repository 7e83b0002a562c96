package dev.paysaga.order.domain;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects everything that is wrong with a request, so that its sender learns it all at once. */
final class Check {

    /** Names end up in keys, paths and account keys: none of them may need escaping or contain a separator. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** No merchant sells more units of one product at once, and a hundred such lines stay far below a long's range. */
    static final long MOST_UNITS = 1_000_000_000;

    private static final int LONGEST_URL = 2_000;

    /** Money only: the precious metals and test codes among the ISO 4217 codes have no minor unit. */
    private static final Set<String> CURRENCIES = Currency.getAvailableCurrencies().stream()
            .filter(currency -> currency.getDefaultFractionDigits() >= 0)
            .map(Currency::getCurrencyCode)
            .collect(Collectors.toUnmodifiableSet());

    private final List<Fault> faults = new ArrayList<>();

    void name(String field, @Nullable String value) {
        if (present(field, value) && !NAME.matcher(value).matches()) {
            refuse(field, "must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'");
        }
    }

    void currency(String field, @Nullable String value) {
        if (present(field, value) && !CURRENCIES.contains(value)) {
            refuse(field, "must be an ISO 4217 currency code, such as EUR");
        }
    }

    void atLeast(long least, String field, @Nullable Long value) {
        if (present(field, value) && value < least) {
            refuse(field, "must be at least " + least);
        }
    }

    void units(String field, @Nullable Long value) {
        if (present(field, value) && (value < 1 || value > MOST_UNITS)) {
            refuse(field, "must be from 1 to " + MOST_UNITS);
        }
    }

    void text(int longest, String field, @Nullable String value) {
        if (value != null && value.length() > longest) {
            refuse(field, "must be at most " + longest + " characters long");
        } else if (value != null && value.indexOf('\0') >= 0) {
            refuse(field, "must not contain a NUL character");
        }
    }

    /** Whether there are from {@code least} to {@code most} entries, so that it makes sense to look at them. */
    boolean count(int least, int most, String field, @Nullable List<?> values) {
        if (present(field, values) && (values.size() < least || values.size() > most)) {
            refuse(field, "must have from " + least + " to " + most + " entries, and has " + values.size());
            return false;
        }
        return values != null;
    }

    void url(String field, @Nullable String value) {
        if (value != null && (value.length() > LONGEST_URL || !isAbsoluteHttp(value))) {
            refuse(field, "must be an absolute http or https URL of at most " + LONGEST_URL + " characters");
        }
    }

    boolean present(String field, @Nullable Object value) {
        if (value == null) {
            refuse(field, "is required");
        }
        return value != null;
    }

    void refuse(String field, String message) {
        faults.add(new Fault(field, message));
    }

    boolean failed() {
        return !faults.isEmpty();
    }

    <T> Checked<T> invalid() {
        return new Checked.Invalid<>(faults);
    }

    private static boolean isAbsoluteHttp(String value) {
        try {
            URI uri = new URI(value);
            return ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()))
                    && uri.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
