package dev.paysaga.saga.idempotency;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What makes two requests the same: SHA-256 over method, path and canonical body. Never over clients or times. */
final class Fingerprint {

    private Fingerprint() {}

    /** 32 bytes. A body that is no JSON counts byte for byte; whoever handles it will refuse it anyway. */
    static byte[] of(String method, String path, byte[] body) {
        MessageDigest digest = sha256();
        digest.update((method + "\n" + path + "\n").getBytes(StandardCharsets.UTF_8));
        return digest.digest(CanonicalJson.of(body)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .orElse(body));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
