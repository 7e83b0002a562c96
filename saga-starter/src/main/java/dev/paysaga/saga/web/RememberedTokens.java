package dev.paysaga.saga.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * Remembers tokens that were found valid, so that a client that sends its token again is not made to wait for the
 * signature check again: RS256 was a tenth of the processor time of a POST.
 *
 * <p>Only for a short while, so that a key the issuer withdraws stops being trusted; and never up to or past the token's
 * own expiry: what is to be said about that, the real decoder says. Refusals are not remembered, so strangers cannot fill
 * the memory.
 */
final class RememberedTokens implements JwtDecoder {

    /** Some ten megabytes. When it is full, all is forgotten: a rare event that costs one signature check a token. */
    private static final int MOST = 10_000;

    private final JwtDecoder decoder;
    private final Duration atMost;
    private final InstantSource clock;

    /** By SHA-256 of the whole token, its signature included. */
    private final Map<ByteBuffer, Remembered> remembered = new ConcurrentHashMap<>();

    private record Remembered(Jwt token, Instant until) {}

    /** @param atMost how long a token is trusted without looking again */
    RememberedTokens(JwtDecoder decoder, Duration atMost, InstantSource clock) {
        this.decoder = decoder;
        this.atMost = atMost;
        this.clock = clock;
    }

    @Override
    public Jwt decode(String text) {
        ByteBuffer key = ByteBuffer.wrap(sha256(text));
        Instant now = clock.instant();
        Remembered known = remembered.get(key);
        if (known != null && now.isBefore(known.until())) {
            return known.token();
        }
        if (known != null) {
            remembered.remove(key, known);
        }
        Jwt token = decoder.decode(text);
        remember(key, token, now);
        return token;
    }

    private void remember(ByteBuffer key, Jwt token, Instant now) {
        Instant expiry = token.getExpiresAt();
        if (expiry == null) {
            return;
        }
        if (remembered.size() >= MOST) {
            remembered.clear();
        }
        Instant latest = now.plus(atMost);
        remembered.put(key, new Remembered(token, expiry.isBefore(latest) ? expiry : latest));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
