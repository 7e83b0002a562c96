package dev.paysaga.saga.relay;

import static dev.paysaga.saga.relay.RelayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** PostgreSQL and Kafka go away and come back, on servers of their own. */
final class RelayOutageIT {

    private static PostgresServer server;
    private static KafkaBroker broker;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        broker = KafkaBroker.start();
    }

    @AfterAll
    static void stop() {
        broker.close();
        server.close();
    }

    @Test
    void postgresqlKilledTwiceInMidFlowLosesNothing() {
        try (var outbox = new RelayFixture(server, broker)) {
            outbox.startLeader();
            outbox.startRelay();
            try (Load load = Load.on(outbox, 2_000)) {
                for (int kill = 1; kill <= 2; kill++) {
                    load.awaitWritten(kill * 500);
                    server.kill();
                    server.restart();
                }
                load.finish();
            }

            assertNothingMissingAndInOrder(outbox);
        }
    }

    @Test
    void kafkaRestartedInMidFlowLosesNothingAndHealthSaysSo() {
        try (var outbox = new RelayFixture(server, broker)) {
            OutboxRelay relay = outbox.startLeader();
            var properties = new RelayProperties(
                    true, "any", "", "any", Duration.ZERO, 1, Duration.ofMillis(500), Duration.ofSeconds(2));
            var health = new RelayHealth(relay, properties);
            soon().until(() -> health.health().getStatus().equals(Status.UP));
            try (Load load = Load.on(outbox, 2_000)) {
                load.awaitWritten(300);
                broker.stop();
                outbox.append("while Kafka is away", 1);
                load.awaitWritten(600);
                soon().until(() -> health.health().getStatus().equals(Status.DOWN));
                assertThat(health.health().getDetails()).containsKey("reason");
                assertThat(relay.state()).isEqualTo(RelayState.LEADER);
                broker.restart();
                load.finish();
            }

            assertNothingMissingAndInOrder(outbox);
            soon().until(() -> health.health().getStatus().equals(Status.UP));
        }
    }

    @Test
    void aRelayStartedWhileKafkaIsAwaySendsEverythingLater() {
        try (var outbox = new RelayFixture(server, broker)) {
            broker.stop();
            outbox.append("key-1", 10);
            outbox.startRelay();
            outbox.append("key-1", 10);
            broker.restart();

            assertNothingMissingAndInOrder(outbox);
        }
    }

    @Test
    void aRelayStopsAndLetsGoOfTheSlotWhileKafkaIsAway() {
        try (var outbox = new RelayFixture(server, broker)) {
            OutboxRelay relay = outbox.startLeader();
            broker.stop();
            try {
                outbox.append("key-1", 10);
                soon().until(() -> relay.lagSeconds() > 1);
                long asked = System.nanoTime();
                relay.stop();
                // About a second; Kafka would be waited for without end.
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
                soon().until(() -> outbox.slot("not active"));
            } finally {
                broker.restart();
            }
            outbox.startLeader();
            assertNothingMissingAndInOrder(outbox);
        }
    }

    private static void assertNothingMissingAndInOrder(RelayFixture outbox) {
        outbox.awaitQuiet();
        assertThat(outbox.topicIds().stream().distinct()).containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
        for (String key : Load.keys()) {
            assertThat(outbox.topicIdsOf(key)).isEqualTo(outbox.outboxIdsOf(key));
        }
    }
}
