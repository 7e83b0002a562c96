package dev.paysaga.saga.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;

final class RememberedTokensTest {

    private static final Instant START = Instant.parse("2026-12-01T08:00:00Z");

    /** What the real decoder was asked. */
    private final List<String> asked = new ArrayList<>();

    private Instant now = START;
    private @Nullable Instant expiry = START.plusSeconds(3600);
    private final RememberedTokens tokens = new RememberedTokens(this::check, Duration.ofMinutes(1), () -> now);

    @Test
    void aTokenIsCheckedOnceAMinute() {
        assertThat(tokens.decode("a")).isSameAs(tokens.decode("a"));
        assertThat(asked).containsExactly("a");

        now = START.plusSeconds(60);
        tokens.decode("a");

        assertThat(asked).containsExactly("a", "a");
    }

    @Test
    void anExpiredTokenIsNotServedFromMemory() {
        expiry = START.plusSeconds(10);
        tokens.decode("a");
        now = START.plusSeconds(10);

        assertThatThrownBy(() -> tokens.decode("a")).isInstanceOf(BadJwtException.class);
        assertThatThrownBy(() -> tokens.decode("a")).isInstanceOf(BadJwtException.class);

        assertThat(asked).containsExactly("a", "a", "a");
    }

    @Test
    void anotherTokenIsAnotherToken() {
        tokens.decode("a");
        tokens.decode("a.");

        assertThat(asked).containsExactly("a", "a.");
    }

    @Test
    void whatNeverExpiresIsNotRemembered() {
        expiry = null;
        tokens.decode("a");
        tokens.decode("a");

        assertThat(asked).containsExactly("a", "a");
    }

    @Test
    void theMemoryIsBounded() {
        for (int i = 0; i < 10_001; i++) {
            tokens.decode("token " + i);
        }
        asked.clear();
        tokens.decode("token 10000");
        tokens.decode("token 1");

        assertThat(asked).as("forgotten when there were too many").containsExactly("token 1");
    }

    private Jwt check(String text) {
        asked.add(text);
        if (expiry != null && !now.isBefore(expiry)) {
            throw new BadJwtException("expired");
        }
        return Jwt.withTokenValue(text)
                .header("alg", "none")
                .subject("s")
                .expiresAt(expiry)
                .build();
    }
}
