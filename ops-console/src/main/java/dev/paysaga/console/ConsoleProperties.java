package dev.paysaga.console;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Reconciliation, prefix {@code paysaga.reconciliation}.
 *
 * @param every from the start of one to the start of the next
 * @param poll how often it is looked whether one is due or wanted
 * @param lookBack how far back one looks, by when orders were placed
 * @param wholeEvery from one that looks at everything to the next
 * @param window orders placed within that long are in memory together
 * @param settling a difference is reported when a later reconciliation finds it again, that long after it was first seen
 * @param keepEvents how long it is kept what was published, from when it was recorded, longer than events are judged for; and
 *     differences that are gone
 * @param services where the services are, by name, each ending with a slash
 * @param tokenFile a bearer token of scope {@code ops}, read anew each time; null to sign one
 * @param signingKey an RSA private key (PEM, PKCS 8) to sign tokens with that are good for minutes; null if a file has one
 */
@ConfigurationProperties("paysaga.reconciliation")
record ConsoleProperties(
        @DefaultValue("60s") Duration every,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("1d") Duration lookBack,
        @DefaultValue("1h") Duration wholeEvery,
        @DefaultValue("6h") Duration window,
        @DefaultValue("30s") Duration settling,
        @DefaultValue("30d") Duration keepEvents,
        Map<String, URI> services,
        @Nullable Path tokenFile,
        @Nullable Path signingKey) {

    /** Events are judged for two days; a record that is behind has a day to catch up. */
    private static final Duration LEAST_KEPT = Duration.ofDays(3);

    ConsoleProperties {
        if (keepEvents.compareTo(LEAST_KEPT) < 0) {
            throw new IllegalArgumentException("paysaga.reconciliation.keep-events is " + keepEvents
                    + ", and must be 3d or more: an event that is judged must still be known.");
        }
        if ((tokenFile == null) == (signingKey == null)) {
            throw new IllegalArgumentException("Reconciliation needs a token of scope ops to read statements: set"
                    + " paysaga.reconciliation.token-file or paysaga.reconciliation.signing-key, and not both.");
        }
    }
}
