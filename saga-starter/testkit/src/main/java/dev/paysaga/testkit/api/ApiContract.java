package dev.paysaga.testkit.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * A service's OpenAPI document against the two that are committed: {@code docs/openapi/<service>.json}, which must be the
 * one it serves, and {@code docs/openapi/baseline/<service>.json}, which clients rely on.
 *
 * <p>After a change of an API, run its test with {@code -Dpaysaga.openapi=write}; it then writes the first, and the
 * second if there is none. At a release the second is replaced by the first, by hand.
 */
public final class ApiContract {

    private static final JsonMapper JSON = JsonMapper.shared();

    private ApiContract() {}

    /**
     * Checks both.
     *
     * @param service its name, such as {@code order}
     * @param served what it answers at {@code /v3/api-docs}
     * @throws AssertionError if the committed document is stale or the new one would break a client
     */
    public static void verify(String service, String served) {
        Path folder = folder();
        Path current = folder.resolve(service + ".json");
        Path baseline = folder.resolve("baseline").resolve(service + ".json");
        try {
            if ("write".equals(System.getProperty("paysaga.openapi"))) {
                Files.writeString(current, served + "\n");
                if (!Files.exists(baseline)) {
                    Files.writeString(baseline, served + "\n");
                }
            }
            if (!Files.exists(current) || !Files.readString(current).strip().equals(served.strip())) {
                throw new AssertionError(
                        current + " is stale. Run this test again with -Dpaysaga.openapi=write, look at"
                                + " what changed, and commit it.");
            }
            List<String> breaches = BreakingChanges.between(JSON.readTree(baseline.toFile()), JSON.readTree(served));
            if (!breaches.isEmpty()) {
                throw new AssertionError("Clients of " + service + " would break:\n  " + String.join("\n  ", breaches)
                        + "\nAdd beside what is there, or make a new version of the API.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder() {
        for (Path place = Path.of("").toAbsolutePath(); place != null; place = place.getParent()) {
            Path folder = place.resolve("docs/openapi");
            if (Files.isDirectory(folder)) {
                return folder;
            }
        }
        throw new IllegalStateException(
                "there is no docs/openapi above " + Path.of("").toAbsolutePath());
    }
}
