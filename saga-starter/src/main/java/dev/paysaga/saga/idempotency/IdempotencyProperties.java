package dev.paysaga.saga.idempotency;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long keys are held and remembered.
 *
 * @param enabled false to let every POST through as it comes; the unique indexes of the business keys then still stop a
 *     second effect
 * @param paths patterns of the paths whose POSTs need a key
 * @param lease how long a holder may work before the next same request takes over
 * @param retention how long an answer is remembered, from completion
 * @param cleanUpInterval pause between two clean-ups
 */
@ConfigurationProperties("saga.idempotency")
record IdempotencyProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/v1/**") List<String> paths,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("24h") Duration retention,
        @DefaultValue("1m") Duration cleanUpInterval) {

    IdempotencyProperties {
        if (lease.toSeconds() < 1) {
            throw new IllegalArgumentException("saga.idempotency.lease must be at least 1s");
        }
        if (retention.compareTo(lease) <= 0) {
            throw new IllegalArgumentException("saga.idempotency.retention must be longer than saga.idempotency.lease");
        }
    }
}
