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

/**
 * Collects everything that is wrong with a request, so that its sender learns it all at once. Each check hands on the value
 * it was given, or a harmless one in the place of a missing one: nothing is made of them once anything has failed.
 */
final class Check {

    /** Names end up in keys, paths and account keys: none of them may need escaping or contain a separator. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** No merchant sells more units of one product at once, and a hundred such lines stay far below a long's range. */
    private static final long MOST_UNITS = 1_000_000_000;

    private static final int LONGEST_URL = 2_000;

    /** Money only: the precious metals and test codes among the ISO 4217 codes have no minor unit. */
    private static final Set<String> CURRENCIES = Currency.getAvailableCurrencies().stream()
            .filter(currency -> currency.getDefaultFractionDigits() >= 0)
            .map(Currency::getCurrencyCode)
            .collect(Collectors.toUnmodifiableSet());

    private final List<Fault> faults = new ArrayList<>();

    String name(String field, @Nullable String value) {
        if (value == null) {
            return missing(field, "");
        }
        if (!NAME.matcher(value).matches()) {
            refuse(field, "must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'");
        }
        return value;
    }

    String currency(String field, @Nullable String value) {
        if (value == null) {
            return missing(field, "");
        }
        if (!CURRENCIES.contains(value)) {
            refuse(field, "must be an ISO 4217 currency code, such as EUR");
        }
        return value;
    }

    long atLeast(long least, String field, @Nullable Long value) {
        if (value == null) {
            return missing(field, least);
        }
        if (value < least) {
            refuse(field, "must be at least " + least);
        }
        return value;
    }

    long units(String field, @Nullable Long value) {
        if (value == null) {
            return missing(field, 1L);
        }
        if (value < 1 || value > MOST_UNITS) {
            refuse(field, "must be from 1 to " + MOST_UNITS);
        }
        return value;
    }

    /** May be left out. */
    @Nullable
    String text(int longest, String field, @Nullable String value) {
        if (value != null && value.length() > longest) {
            refuse(field, "must be at most " + longest + " characters long");
        }
        return value;
    }

    /** May be left out. */
    @Nullable
    String url(String field, @Nullable String value) {
        if (value != null && (value.length() > LONGEST_URL || !isAbsoluteHttp(value))) {
            refuse(field, "must be an absolute http or https URL of at most " + LONGEST_URL + " characters");
        }
        return value;
    }

    /** The entries, if there are from {@code least} to {@code most}, so that it makes sense to look at them. */
    <T extends @Nullable Object> List<T> entries(int least, int most, String field, @Nullable List<T> values) {
        if (values == null) {
            return missing(field, List.of());
        }
        if (values.size() < least || values.size() > most) {
            refuse(field, "must have from " + least + " to " + most + " entries, and has " + values.size());
            return List.of();
        }
        return values;
    }

    <T> T missing(String field, T instead) {
        refuse(field, "is required");
        return instead;
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
