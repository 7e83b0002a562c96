package dev.paysaga.saga.inbox;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Words from outside, as PostgreSQL takes them: it refuses the character 0 and whatever is no UTF-8. */
final class PlainText {

    private static final char REPLACEMENT = '\uFFFD';
    private static final String BASE64 = "base64:";

    private PlainText() {}

    static String of(String text) {
        if (isClean(text)) {
            return text;
        }
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', REPLACEMENT);
    }

    /** A key as text; one that is no text stays distinguishable enough to keep its order. */
    static String of(byte @Nullable [] bytes) {
        return bytes == null ? "" : of(new String(bytes, StandardCharsets.UTF_8));
    }

    /** A header's value without loss: as text where it is text, else as {@code base64:…}. */
    static String lossless(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "";
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') < 0 && !text.startsWith(BASE64)) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // It is no text.
        }
        return BASE64 + Base64.getEncoder().encodeToString(bytes);
    }

    private static boolean isClean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\0' || Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }
}
