package dev.paysaga.saga.idempotency;

import dev.paysaga.saga.web.Problem;
import java.util.List;
import org.springframework.http.HttpStatus;

/**
 * A key as its owner meant it.
 *
 * @param scope whose it is; a key of another scope is another key
 * @param value 1 to 255 visible ASCII characters
 */
record IdempotencyKey(String scope, String value) {

    static final String HEADER = "Idempotency-Key";

    private static final int MAX_LENGTH = 255;

    /**
     * Reads the header. draft-ietf-httpapi-idempotency-key-header-07, 2.1 makes it a structured-field string
     * ({@code "abc"}, RFC 9651, 3.3.3), most clients send it bare ({@code abc}): both are the same key.
     *
     * @param lines the header's lines as received
     * @throws Problem 400 {@code idempotency-key-missing} or {@code idempotency-key-malformed}
     */
    static IdempotencyKey of(String scope, List<String> lines) {
        if (lines.isEmpty()) {
            throw Problem.of(
                    HttpStatus.BAD_REQUEST,
                    "idempotency-key-missing",
                    "Send an Idempotency-Key, best a new UUID, and send it again with every repetition of this request.");
        }
        if (lines.size() > 1) {
            throw malformed();
        }
        String line = lines.getFirst().strip();
        String value = line.startsWith("\"") ? unquoted(line) : line;
        if (value.isEmpty() || value.length() > MAX_LENGTH || !value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw malformed();
        }
        return new IdempotencyKey(scope, value);
    }

    private static String unquoted(String line) {
        StringBuilder value = new StringBuilder();
        for (int i = 1; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (i == line.length() - 1) {
                    return value.toString();
                }
                throw malformed(); // parameters, a list, or a stray quote
            }
            if (c == '\\') {
                c = ++i < line.length() ? line.charAt(i) : 0;
                if (c != '"' && c != '\\') {
                    throw malformed();
                }
            }
            value.append(c);
        }
        throw malformed(); // never closed
    }

    private static Problem malformed() {
        return Problem.of(
                HttpStatus.BAD_REQUEST,
                "idempotency-key-malformed",
                "The Idempotency-Key must be one value of 1 to 255 visible ASCII characters, bare or in double quotes.");
    }
}
