package dev.paysaga.saga.idempotency;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The canonical form of a JSON text: RFC 8785 (JCS), so that member order, white space and ways of writing a number or
 * an escape make no difference.
 *
 * <p>One extension: RFC 8785 knows numbers as IEEE 754 doubles only, for which 9007199254740993 and 9007199254740992 are
 * the same. For money they are not: an integer that no double holds keeps its digits. So does a number beyond all
 * doubles, for which RFC 8785 has no form.
 */
final class CanonicalJson {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private CanonicalJson() {}

    /** The canonical form; empty if this is no JSON text, has a member twice, or something after its end. */
    static Optional<String> of(byte[] text) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            StringBuilder out = new StringBuilder(text.length);
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            value(parser, out);
            return parser.nextToken() == null ? Optional.of(out.toString()) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static void value(JsonParser parser, StringBuilder out) {
        switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, out);
            case START_ARRAY -> array(parser, out);
            case VALUE_STRING -> string(parser.getString(), out);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.append(number(parser.getString()));
            default -> out.append(parser.getString()); // true, false, null
        }
    }

    /** RFC 8785, 3.2.3: members in the order of their names' UTF-16 code units, which is how Java compares strings. */
    private static void object(JsonParser parser, StringBuilder out) {
        Map<String, StringBuilder> members = new TreeMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            StringBuilder member = new StringBuilder();
            members.put(parser.currentName(), member);
            parser.nextToken();
            value(parser, member);
        }
        out.append('{');
        String separator = "";
        for (Map.Entry<String, StringBuilder> member : members.entrySet()) {
            out.append(separator);
            string(member.getKey(), out);
            out.append(':').append(member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void array(JsonParser parser, StringBuilder out) {
        out.append('[');
        String separator = "";
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            out.append(separator);
            value(parser, out);
            separator = ",";
        }
        out.append(']');
    }

    /** RFC 8785, 3.2.2.2. */
    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append("\\u00")
                                .append(Character.forDigit(c >> 4, 16))
                                .append(Character.forDigit(c & 15, 16));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** RFC 8785, 3.2.2.3: as ECMAScript writes the double. */
    static String number(String written) {
        double value = Double.parseDouble(written);
        if (value == 0) {
            return "0";
        }
        if (Double.isInfinite(value)) {
            return written;
        }
        BigDecimal shortest = shortest(value);
        boolean lossy = isInteger(written) && shortest.compareTo(new BigDecimal(written)) != 0;
        return lossy ? written : ecmaScript(shortest);
    }

    private static boolean isInteger(String written) {
        return written.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9');
    }

    /** The fewest digits that still mean this double. Java writes two where ECMAScript is content with one. */
    private static BigDecimal shortest(double value) {
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (digits.precision() == 2) {
            BigDecimal one = digits.round(new MathContext(1));
            return one.doubleValue() == value ? one.stripTrailingZeros() : digits;
        }
        return digits;
    }

    /** ECMA-262, Number::toString. */
    private static String ecmaScript(BigDecimal number) {
        String sign = number.signum() < 0 ? "-" : "";
        String digits = number.unscaledValue().abs().toString();
        int k = digits.length();
        int n = k - number.scale(); // the decimal point comes after the n-th digit
        if (k <= n && n <= 21) {
            return sign + digits + "0".repeat(n - k);
        }
        if (0 < n && n <= 21) {
            return sign + digits.substring(0, n) + "." + digits.substring(n);
        }
        if (-6 < n && n <= 0) {
            return sign + "0." + "0".repeat(-n) + digits;
        }
        String fraction = k == 1 ? "" : "." + digits.substring(1);
        return sign + digits.charAt(0) + fraction + "e" + (n > 0 ? "+" : "-") + Math.abs(n - 1);
    }
}
