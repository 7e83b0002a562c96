package dev.paysaga.console;

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
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** The token that the console shows the services: from a file that somebody keeps fresh, or signed by itself for a few minutes. */
@Component
final class OpsToken implements Supplier<String> {

    private static final Duration GOOD_FOR = Duration.ofMinutes(5);

    private final ConsoleProperties properties;

    OpsToken(ConsoleProperties properties) {
        this.properties = properties;
    }

    @Override
    public String get() {
        Path file = properties.tokenFile();
        try {
            return file == null ? sign() : Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("The console has no token: " + e.getMessage(), e);
        } catch (GeneralSecurityException | JOSEException e) {
            throw new IllegalStateException("The console cannot sign a token: " + e.getMessage(), e);
        }
    }

    private String sign() throws IOException, GeneralSecurityException, JOSEException {
        Instant now = Instant.now();
        var token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.RS256),
                new JWTClaimsSet.Builder()
                        .subject("console")
                        .claim("scope", "ops")
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plus(GOOD_FOR)))
                        .build());
        token.sign(new RSASSASigner(key(Objects.requireNonNull(properties.signingKey()))));
        return token.serialize();
    }

    private static PrivateKey key(Path pem) throws IOException, GeneralSecurityException {
        String base64 = Files.readString(pem).replaceAll("-----[A-Z ]+-----", "");
        byte[] der = Base64.getMimeDecoder().decode(base64);
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    }
}
