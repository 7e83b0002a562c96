package dev.paysaga.saga.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8785 by its own examples, and where we go beyond it. */
final class CanonicalJsonTest {

    @Test
    void theExampleOfSection3() {
        String text = """
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""";

        assertThat(canonical(text))
                .hasValueSatisfying(
                        canonical -> assertThat(HexFormat.of().formatHex(canonical.getBytes(StandardCharsets.UTF_8)))
                                .isEqualTo(HexFormat.of().formatHex("""
                                {"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
                                "string":"\u20ac$\\u000f\\nA'B\\"\\\\\\\\\\"/"}""".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void membersAreSortedByUtf16CodeUnits() {
        String text = """
                {"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",\
                "\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}""";

        assertThat(canonical(text).orElseThrow())
                .containsSubsequence(
                        "Carriage Return", "One", "Control", "Latin Small", "Euro Sign", "Emoji", "Hebrew");
    }

    /** RFC 8785, appendix B, as far as JSON can write the doubles. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbersAreWrittenAsEcmaScriptWritesThem(String bits, String expected) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(CanonicalJson.number(Double.toString(value))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"5, 5.0", "100, 1e2", "100, 1E+2", "0, -0.0", "0.5, 5e-1", "-7, -7.00"})
    void waysOfWritingOneNumberAreTheSame(String one, String other) {
        assertThat(CanonicalJson.number(other)).isEqualTo(CanonicalJson.number(one));
    }

    @ParameterizedTest
    @CsvSource({
        "9007199254740992, 9007199254740993",
        "9223372036854775807, 9223372036854775806",
        "-9007199254740992, -9007199254740993",
        "1e400, 1e401",
        "1e999999999, 2e999999999"
    })
    void numbersThatDifferStayDifferentWhereDoublesWouldNot(String one, String other) {
        assertThat(CanonicalJson.number(one)).isNotEqualTo(CanonicalJson.number(other));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{}{}",
                "[1,]",
                "{\"a\":1,\"a\":1}",
                "nul",
                "{\"a\" 1}",
                "'a'",
                "01",
                "NaN",
                "// c\n1"
            })
    void whatIsNoSingleJsonTextHasNoCanonicalForm(String text) {
        assertThat(canonical(text)).isEmpty();
    }

    @Test
    void aTextTooDeepIsRefusedAndNotFollowed() {
        assertThat(canonical("[".repeat(100_000))).isEmpty();
    }

    private static Optional<String> canonical(String text) {
        return CanonicalJson.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
