package dev.paysaga.testkit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;

/** Bearer tokens of an issuer that lives as long as this JVM. */
public final class Tokens {

    private static final KeyPair KEYS = keys();
    private static final String LOCATION = location();

    private Tokens() {}

    /** For {@code spring.security.oauth2.resourceserver.jwt.public-key-location}. */
    public static String publicKeyLocation() {
        return LOCATION;
    }

    /**
     * A token that is valid for an hour.
     *
     * @param merchant claim {@code merchant_id}
     * @param scope claim {@code scope}, separated by spaces
     */
    public static String of(String merchant, String scope) {
        return of(Map.of("merchant_id", merchant, "scope", scope));
    }

    /** A token with these claims, over a subject and an expiry in an hour. */
    public static String of(Map<String, Object> claims) {
        var all = new JWTClaimsSet.Builder()
                .subject("till-7")
                .expirationTime(Date.from(Instant.now().plusSeconds(3600)));
        claims.forEach(all::claim);
        var token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), all.build());
        try {
            token.sign(new RSASSASigner(KEYS.getPrivate()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    private static String location() {
        try {
            Path file = Files.createTempFile("paysaga-issuer", ".pem");
            file.toFile().deleteOnExit();
            String key = Base64.getMimeEncoder().encodeToString(KEYS.getPublic().getEncoded());
            Files.writeString(file, "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n");
            return "file:" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has RSA", e);
        }
    }
}
