package dev.paysaga.saga.web;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Says in plain words which field of a JSON body is wrong and why. Never repeats what the field contained. */
final class JsonFaults {

    private static final String WHOLE_NUMBER = "must be a whole number";

    private JsonFaults() {}

    static InvalidRequest of(JacksonException fault) {
        return new InvalidRequest(List.of(new FieldError(field(fault), message(fault))), fault);
    }

    private static String message(JacksonException fault) {
        return switch (fault) {
            case UnrecognizedPropertyException unknown -> "is not a field of this request";
            case InputCoercionException overflow -> WHOLE_NUMBER + range(overflow.getTargetType());
            case MismatchedInputException mismatch -> mismatch(mismatch);
            case ValueInstantiationException refused
            when refused.getCause() instanceof IllegalArgumentException reason && reason.getMessage() != null ->
                "is not valid: " + reason.getMessage();
            case StreamReadException malformed when isDuplicate(malformed) -> "is given twice";
            case StreamReadException malformed -> "is not well-formed JSON" + place(malformed);
            default -> "is not valid";
        };
    }

    private static String mismatch(MismatchedInputException mismatch) {
        Class<?> type = mismatch.getTargetType();
        String original = String.valueOf(mismatch.getOriginalMessage());
        if (original.startsWith("Trailing token")) {
            return "must be one JSON value and nothing after it";
        }
        if (original.startsWith("No content")) {
            return "is missing";
        }
        if (type == null) {
            return "has the wrong type";
        }
        boolean absent = mismatch.getCurrentToken() == JsonToken.END_OBJECT;
        boolean isNull = mismatch.getCurrentToken() == JsonToken.VALUE_NULL;
        return absent && type.isPrimitive() ? "is missing" : isNull ? "must not be null" : mustBe(type);
    }

    static String mustBe(Class<?> type) {
        if (type == long.class || type == Long.class || type == int.class || type == Integer.class) {
            return WHOLE_NUMBER + range(type);
        }
        if (type == short.class || type == Short.class || type == BigInteger.class) {
            return WHOLE_NUMBER;
        }
        if (type == boolean.class || type == Boolean.class) {
            return "must be true or false";
        }
        if (type == String.class) {
            return "must be a string without U+0000 and without unpaired surrogates";
        }
        if (type == UUID.class) {
            return "must be a UUID";
        }
        if (type == Currency.class) {
            return "must be an ISO 4217 currency code";
        }
        if (type == Duration.class) {
            return "must be a duration in ISO 8601";
        }
        if (Temporal.class.isAssignableFrom(type)) {
            return "must be a time in RFC 3339, such as 2026-12-01T08:00:00Z";
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(Object::toString)
                    .collect(Collectors.joining(", ", "must be one of ", ""));
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "must be a list";
        }
        if (type.isRecord() || Map.class.isAssignableFrom(type)) {
            return "must be an object";
        }
        return "has the wrong type";
    }

    private static String range(@Nullable Class<?> type) {
        if (type == long.class || type == Long.class) {
            return " from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE;
        }
        if (type == int.class || type == Integer.class) {
            return " from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE;
        }
        return "";
    }

    private static boolean isDuplicate(StreamReadException malformed) {
        return String.valueOf(malformed.getOriginalMessage()).startsWith("Duplicate");
    }

    private static String place(JacksonException fault) {
        return fault.getLocation() == null
                ? ""
                : " (line " + fault.getLocation().getLineNr() + ", column "
                        + fault.getLocation().getColumnNr() + ")";
    }

    private static String field(JacksonException fault) {
        String path = switch (fault) {
            // Found before the field is handed to anybody, so only the parser knows its name.
            case StreamReadException duplicate
            when isDuplicate(duplicate) && duplicate.processor() instanceof JsonParser parser ->
                path(parser.streamReadContext());
            case InputCoercionException overflow -> path(overflow.getPath());
            case StreamReadException malformed -> "";
            default -> path(fault.getPath());
        };
        return path.isEmpty() ? "body" : path;
    }

    private static String path(List<JacksonException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            if (reference.getPropertyName() != null) {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            } else if (reference.getIndex() >= 0) {
                path.append('[').append(reference.getIndex()).append(']');
            }
        }
        return path.toString();
    }

    private static String path(TokenStreamContext context) {
        if (context.getParent() == null) {
            return "";
        }
        String parent = path(context.getParent());
        if (context.inObject() && context.currentName() != null) {
            return parent.isEmpty() ? context.currentName() : parent + "." + context.currentName();
        }
        return context.inArray() ? parent + "[" + context.getCurrentIndex() + "]" : parent;
    }
}
