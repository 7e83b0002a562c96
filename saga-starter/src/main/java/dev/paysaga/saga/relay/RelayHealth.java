package dev.paysaga.saga.relay;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether announcements reach Kafka, and who sees to it. No part of liveness or readiness: a restart does not bring Kafka back,
 * and the service takes orders meanwhile.
 */
final class RelayHealth implements HealthIndicator {

    private final OutboxRelay relay;
    private final RelayProperties properties;

    RelayHealth(OutboxRelay relay, RelayProperties properties) {
        this.relay = relay;
        this.properties = properties;
    }

    @Override
    public Health health() {
        double lag = relay.lagSeconds();
        boolean late = lag > properties.alarmAfter().toMillis() / 1000.0;
        RelayState state = relay.state();
        Health.Builder health =
                late || state == RelayState.FAILED || state == RelayState.STOPPED ? Health.down() : Health.up();
        health.withDetail("role", state).withDetail("lagSeconds", lag);
        String problem = relay.problem();
        if (problem != null) {
            health.withDetail("reason", problem);
        } else if (late) {
            health.withDetail(
                    "reason",
                    state == RelayState.LEADER
                            ? "Kafka has not acknowledged for a while"
                            : "no replica relays the outbox");
        }
        return health.build();
    }
}
