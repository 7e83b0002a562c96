package dev.paysaga.testkit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * What the servers of a test run in: the same tests run on both. Containers where a Docker engine answers, servers of this
 * machine otherwise; {@code PAYSAGA_TEST_SERVERS=embedded} or {@code containers} decides instead.
 */
enum BackEnd {
    EMBEDDED,
    CONTAINERS;

    private static final Logger log = LoggerFactory.getLogger(BackEnd.class);

    private static final BackEnd CHOSEN = choose(System.getenv("PAYSAGA_TEST_SERVERS"));

    /** The same for the whole JVM; said once in its log. */
    static BackEnd chosen() {
        return CHOSEN;
    }

    private static BackEnd choose(@Nullable String wish) {
        BackEnd backEnd;
        if (wish == null || wish.isBlank() || wish.equals("auto")) {
            backEnd = DockerClientFactory.instance().isDockerAvailable() ? CONTAINERS : EMBEDDED;
        } else {
            backEnd = switch (wish) {
                case "embedded" -> EMBEDDED;
                case "containers" -> CONTAINERS;
                default ->
                    throw new IllegalArgumentException(
                            "PAYSAGA_TEST_SERVERS=" + wish + ": write embedded, containers or auto");
            };
        }
        log.info("Test servers: {}", backEnd == CONTAINERS ? "containers" : "embedded");
        return backEnd;
    }
}
