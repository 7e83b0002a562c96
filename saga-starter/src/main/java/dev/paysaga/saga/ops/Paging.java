package dev.paysaga.saga.ops;

import dev.paysaga.saga.web.InvalidRequest;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The query parameters that lists have in common. */
final class Paging {

    /** A page nobody has to wait for. */
    private static final int LONGEST_PAGE = 200;

    private Paging() {}

    static int limit(int asked) {
        if (asked < 1 || asked > LONGEST_PAGE) {
            throw new InvalidRequest("limit", "must be from 1 to " + LONGEST_PAGE);
        }
        return asked;
    }

    static <E extends Enum<E>> @Nullable E status(@Nullable String asked, Class<E> statuses) {
        if (asked == null) {
            return null;
        }
        return Arrays.stream(statuses.getEnumConstants())
                .filter(status -> status.name().equals(asked.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () -> new InvalidRequest("status", "must be one of " + String.join(", ", names(statuses))));
    }

    private static <E extends Enum<E>> Iterable<String> names(Class<E> statuses) {
        return Arrays.stream(statuses.getEnumConstants()).map(Enum::name).toList();
    }
}
