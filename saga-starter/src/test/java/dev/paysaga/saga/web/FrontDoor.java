package dev.paysaga.saga.web;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A running service with nothing but the starter's front door and one controller, and a client for it. */
final class FrontDoor implements AutoCloseable {

    private static final KeyPair KEYS = keys();

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;
    private final int port;

    FrontDoor(Class<?> application, String... properties) {
        this.context = new SpringApplicationBuilder(application)
                .properties(
                        "server.port=0",
                        "management.server.port=0",
                        "spring.application.name=front-door",
                        "management.endpoints.web.exposure.include=*",
                        "spring.security.oauth2.resourceserver.jwt.public-key-location=" + publicKey(),
                        "logging.level.root=WARN",
                        "spring.main.banner-mode=off")
                .properties(properties)
                .run();
        this.port = ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    int port() {
        return port;
    }

    int managementPort() {
        return context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    HttpRequest.Builder post(String path, String json) {
        return request(path)
                .header("Authorization", "Bearer " + token(Map.of("scope", "orders:write", "merchant_id", "acme")))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static String token(Map<String, Object> claims) {
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

    @Override
    public void close() {
        context.close();
        client.close();
    }

    private static String publicKey() {
        try {
            Path file = Files.createTempFile("front-door", ".pem");
            file.toFile().deleteOnExit();
            Files.writeString(
                    file,
                    "-----BEGIN PUBLIC KEY-----\n"
                            + Base64.getMimeEncoder()
                                    .encodeToString(KEYS.getPublic().getEncoded())
                            + "\n-----END PUBLIC KEY-----\n");
            return "file:" + file;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
