package dev.paysaga.saga.ops;

import dev.paysaga.saga.web.FieldError;
import dev.paysaga.saga.web.InvalidRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of time a statement is about, half-open, in whole milliseconds as ids have them.
 *
 * @param from null: from the beginning
 * @param to null: without end
 */
record StatementWindow(@Nullable Instant from, @Nullable Instant to) {

    /** The last millisecond that fits into the 48 bits of an id lies far behind; a year of five digits is a slip. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    /** @throws InvalidRequest that names what is wrong */
    static StatementWindow of(@Nullable String from, @Nullable String to) {
        var errors = new ArrayList<FieldError>();
        Instant begin = time("from", from, errors);
        Instant end = time("to", to, errors);
        if (begin != null && end != null && begin.isAfter(end)) {
            errors.add(new FieldError("to", "must not be before from"));
        }
        if (!errors.isEmpty()) {
            throw new InvalidRequest(errors);
        }
        return new StatementWindow(begin, end);
    }

    private static @Nullable Instant time(String field, @Nullable String text, List<FieldError> errors) {
        if (text == null) {
            return null;
        }
        try {
            Instant time = Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
            if (text.endsWith("Z") && !time.isBefore(Instant.EPOCH) && !time.isAfter(LATEST)) {
                return time;
            }
        } catch (DateTimeException e) {
            // said below, with what would be right
        }
        errors.add(new FieldError(field, "must be a time in RFC 3339 in UTC, such as 2026-01-31T12:00:00Z"));
        return null;
    }

    /** The bounds, as a section's query may use them. */
    Map<String, Object> parameters() {
        return Map.of(
                "fromId", from == null ? new UUID(0, 0) : id(from),
                "toId", to == null ? new UUID(-1, -1) : id(to),
                "fromTime", from == null ? OffsetDateTime.MIN : from.atOffset(ZoneOffset.UTC),
                "toTime", to == null ? OffsetDateTime.MAX : to.atOffset(ZoneOffset.UTC));
    }

    private static UUID id(Instant time) {
        return new UUID(time.toEpochMilli() << 16, 0);
    }
}
