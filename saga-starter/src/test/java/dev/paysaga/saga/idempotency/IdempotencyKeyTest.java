package dev.paysaga.saga.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paysaga.saga.web.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IdempotencyKeyTest {

    static Stream<Arguments> accepted() {
        return Stream.of(
                Arguments.of("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
                Arguments.of("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
                Arguments.of(" k ", "k"),
                Arguments.of("\"a\\\"b\\\\c\"", "a\"b\\c"),
                Arguments.of("a\"b", "a\"b"),
                Arguments.of("a\\b", "a\\b"),
                Arguments.of("!#~,;=", "!#~,;="),
                Arguments.of("k".repeat(255), "k".repeat(255)),
                Arguments.of("\"" + "k".repeat(255) + "\"", "k".repeat(255)));
    }

    @ParameterizedTest
    @MethodSource
    void accepted(String line, String value) {
        assertThat(key(line).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "\"",
                "\"\"",
                "\"a",
                "\"a\"b",
                "\"a\";p=1",
                "\"a\", \"b\"",
                "\"a\\b\"",
                "\"a\\",
                "\"a b\"",
                "a\tb",
                "k\u00e9y",
                "\u007f",
                "a\u0000"
            })
    void malformed(String line) {
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> key(line))
                .satisfies(problem -> assertThat(problem.slug()).isEqualTo("idempotency-key-malformed"));
    }

    @Test
    void longerThan255IsMalformed() {
        assertThatExceptionOfType(Problem.class).isThrownBy(() -> key("k".repeat(256)));
    }

    @Test
    void twoLinesAreMalformedAndNoneIsMissing() {
        assertThatExceptionOfType(Problem.class).isThrownBy(() -> key("a", "a"));
        assertThatExceptionOfType(Problem.class)
                .isThrownBy(() -> IdempotencyKey.of("m", List.of()))
                .satisfies(problem -> assertThat(problem.slug()).isEqualTo("idempotency-key-missing"));
    }

    private static IdempotencyKey key(String... lines) {
        return IdempotencyKey.of("m", Arrays.asList(lines));
    }
}
