package dev.paysaga.stack.processes;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Passwords and the key pair for tokens: made at the first start, kept in a folder that only its owner may read. */
public final class Secrets {

    private static final String PRIVATE = "jwt-private.pem";
    private static final String PUBLIC = "jwt-public.pem";

    private final Path folder;

    public Secrets(Layout layout) {
        this.folder = layout.secrets();
    }

    /** The password of a database role; made when it is asked for the first time. */
    public synchronized String password(String role) {
        Path file = folder.resolve(role + ".password");
        if (!Files.exists(file)) {
            byte[] random = new byte[24];
            new SecureRandom().nextBytes(random);
            write(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        }
        return read(file);
    }

    /** Writes a copy of a role's password for a program that reads it from a file; to be deleted afterwards. */
    void copy(String role, Path file) {
        write(file, password(role));
    }

    /** The public key that tokens are checked with, as PEM; made when it is asked for the first time. */
    public synchronized Path publicKey() {
        if (!Files.exists(folder.resolve(PUBLIC))) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(2048);
                KeyPair pair = generator.generateKeyPair();
                write(
                        folder.resolve(PRIVATE),
                        pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
                write(folder.resolve(PUBLIC), pem("PUBLIC KEY", pair.getPublic().getEncoded()));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has RSA", e);
            }
        }
        return folder.resolve(PUBLIC);
    }

    /** The key that tokens are signed with, as PEM, for a process of our own that has to sign some. */
    Path signingKey() {
        publicKey();
        return folder.resolve(PRIVATE);
    }

    /**
     * A bearer token of the local stack (JWT, RS256), good for one day.
     *
     * @param merchant the merchant it speaks for; null for an operator
     * @param scopes such as {@code orders:write}
     */
    public String token(String subject, @Nullable String merchant, List<String> scopes) {
        Instant now = Instant.now();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", subject);
        if (merchant != null) {
            claims.put("merchant_id", merchant);
        }
        claims.put("scope", String.join(" ", scopes));
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plusSeconds(86_400).getEpochSecond());
        try {
            var json = new ObjectMapper();
            String unsigned = base64(json.writeValueAsBytes(Map.of("alg", "RS256", "typ", "JWT")))
                    + "."
                    + base64(json.writeValueAsBytes(claims));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(privateKey())));
            signature.update(unsigned.getBytes(StandardCharsets.US_ASCII));
            return unsigned + "." + base64(signature.sign());
        } catch (GeneralSecurityException | IOException e) {
            throw new StackFailure("Cannot sign a token with " + folder.resolve(PRIVATE) + ": " + e.getMessage(), e);
        }
    }

    private byte[] privateKey() {
        publicKey();
        String text = read(folder.resolve(PRIVATE));
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String pem(String label, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    private void write(Path file, String text) {
        try {
            if (!Files.exists(folder)) {
                Files.createDirectories(folder.getParent());
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Path draft = file.resolveSibling(file.getFileName() + ".tmp");
            Files.deleteIfExists(draft);
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new StackFailure("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
