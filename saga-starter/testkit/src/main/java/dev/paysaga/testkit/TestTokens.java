package dev.paysaga.testkit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bearer tokens of an issuer that only this JVM knows, and that services with {@link TestServers} properties trust. */
public final class TestTokens {

    private static final KeyPair KEYS = keys();
    private static final Path PUBLIC_KEY = publicKey();
    private static final Duration LIFE = Duration.ofHours(1);

    private TestTokens() {}

    /** A token of this merchant with these scopes, good for an hour. */
    public static String token(String merchantId, String... scopes) {
        return sign(claims("merchant:" + merchantId, scopes)
                .claim("merchant_id", merchantId)
                .build());
    }

    /** A token of an operator, who belongs to no merchant. */
    public static String operatorToken(String... scopes) {
        return sign(claims("operator", scopes).build());
    }

    /** A token with these claims, over a subject and an expiry in an hour; a claim that is null is left out. */
    public static String tokenWith(Map<String, ? extends @Nullable Object> claims) {
        JWTClaimsSet.Builder all = claims("till-7");
        claims.forEach(all::claim);
        return sign(all.build());
    }

    /** For {@code spring.security.oauth2.resourceserver.jwt.public-key-location}. */
    public static String publicKeyLocation() {
        return "file:" + PUBLIC_KEY;
    }

    /** The issuer's public keys as a JWK set (RFC 7517), as an issuer would publish them. */
    public static String jwkSet() {
        return new JWKSet(new RSAKey.Builder((RSAPublicKey) KEYS.getPublic()).build()).toString();
    }

    private static JWTClaimsSet.Builder claims(String subject, String... scopes) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .subject(subject)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFE)))
                .claim("scope", String.join(" ", scopes));
    }

    private static String sign(JWTClaimsSet claims) {
        var token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
        try {
            token.sign(new RSASSASigner(KEYS.getPrivate()));
        } catch (JOSEException e) {
            throw new IllegalStateException("the token could not be signed", e);
        }
        return token.serialize();
    }

    private static Path publicKey() {
        try {
            Path file = Files.createTempFile("paysaga-public-key", ".pem");
            file.toFile().deleteOnExit();
            String body =
                    Base64.getMimeEncoder().encodeToString(KEYS.getPublic().getEncoded());
            return Files.writeString(file, "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n");
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
            throw new IllegalStateException("every Java platform has RSA", e);
        }
    }
}
