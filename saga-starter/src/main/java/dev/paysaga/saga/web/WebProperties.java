package dev.paysaga.saga.web;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What a service's front door lets in.
 *
 * @param maxBody largest request body; larger ones get 413 {@code payload-too-large}
 * @param requestsPerSecond how many requests a second one merchant may send over a longer time, on this replica; 0 for
 *     no limit
 * @param burst how many requests one merchant may send at once after a pause, on this replica
 * @param openPaths path patterns that need no token
 * @param longestToken a token that expires later than that from now is refused
 * @param rememberTokens how long a token that was found valid is trusted without checking its signature again, and so how
 *     long a key that the issuer withdrew is trusted; never past the token's expiry; 0 to check every time
 */
@ConfigurationProperties("saga.web")
record WebProperties(
        @DefaultValue("256KB") DataSize maxBody,
        @DefaultValue("1000") double requestsPerSecond,
        @DefaultValue("2000") int burst,
        @DefaultValue("/v3/api-docs/**") List<String> openPaths,
        @DefaultValue("24h") Duration longestToken,
        @DefaultValue("1m") Duration rememberTokens) {

    WebProperties {
        if (requestsPerSecond < 0 || burst < 1) {
            throw new IllegalArgumentException(
                    "saga.web.requests-per-second must not be negative (0 for no limit) and saga.web.burst at least 1");
        }
        openPaths = List.copyOf(openPaths);
    }
}
