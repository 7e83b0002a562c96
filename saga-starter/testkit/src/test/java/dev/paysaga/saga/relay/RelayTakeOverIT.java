package dev.paysaga.saga.relay;

import static dev.paysaga.saga.relay.RelayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class RelayTakeOverIT {

    private static final Logger LOG = LoggerFactory.getLogger(RelayTakeOverIT.class);

    /** A machine with other things to do may spoil the time of one; a relay that waits for something spoils all. */
    private static final int TRIALS = 3;

    private RelayFixture outbox;

    @BeforeEach
    void migrate() {
        outbox = new RelayFixture();
    }

    @AfterEach
    void close() {
        outbox.close();
    }

    @Test
    void ofTwoRelaysOneLeads() {
        OutboxRelay first = outbox.startLeader();
        OutboxRelay second = outbox.startRelay();
        outbox.append("key", 3);

        outbox.awaitQuiet();
        assertThat(List.of(first.state(), second.state())).containsExactly(RelayState.LEADER, RelayState.FOLLOWER);
        assertThat(outbox.topicIds()).containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
    }

    @Test
    void theOtherTakesOverWithinTenSecondsWhenTheLeaderLosesItsConnectionsAndNothingIsLost() {
        var taken = new ArrayList<Duration>();
        OutboxRelay leader = outbox.startLeader();
        try (Load load = Load.on(outbox, 2_000)) {
            for (int death = 1; death <= TRIALS; death++) {
                OutboxRelay follower = outbox.startRelay();
                load.awaitWritten(death * 200);
                leader.stop();
                outbox.killRelayConnections();
                long killed = System.nanoTime();

                soon().until(() -> follower.state() == RelayState.LEADER);
                taken.add(Duration.ofNanos(System.nanoTime() - killed));
                leader = follower;
            }
            load.finish();
        }
        LOG.info("Took over after {}", taken);
        assertThat(Collections.min(taken)).isLessThan(Duration.ofSeconds(10));

        outbox.awaitQuiet();
        assertNothingMissingAndInOrder();
    }

    @Test
    void killedConnectionsInMidFlowLoseNothing() {
        outbox.startLeader();
        outbox.startRelay();
        try (Load load = Load.on(outbox, 3_000)) {
            for (int kill = 1; kill <= 3; kill++) {
                load.awaitWritten(kill * 700);
                outbox.killRelayConnections();
            }
            load.finish();
        }

        outbox.awaitQuiet();
        assertNothingMissingAndInOrder();
    }

    @Test
    void aStoppedLeaderHandsOverWithinTwoSeconds() {
        var taken = new ArrayList<Duration>();
        OutboxRelay leader = outbox.startLeader();
        try (Load load = Load.on(outbox, 2_000)) {
            for (int stop = 1; stop <= TRIALS; stop++) {
                OutboxRelay follower = outbox.startRelay();
                load.awaitWritten(stop * 200);
                long stopped = System.nanoTime();
                leader.stop();
                taken.add(Duration.ofNanos(System.nanoTime() - stopped));

                soon().until(() -> follower.state() == RelayState.LEADER);
                leader = follower;
            }
            load.finish();
        }
        LOG.info("Stopped in {}", taken);
        assertThat(Collections.min(taken)).isLessThan(Duration.ofSeconds(2));

        outbox.awaitQuiet();
        assertNothingMissingAndInOrder();
    }

    @Test
    void aReaderWithoutTheLockIsExpelled() {
        OutboxRelay zombie = outbox.startLeader();
        OutboxRelay successor = outbox.startRelay();

        // Only the connection that holds the lock dies; the zombie's reader goes on with the slot.
        outbox.server.administer("select pg_terminate_backend(pid) from pg_stat_activity where usename = '"
                + outbox.database.relayUsername() + "' and application_name = 'paysaga relay leader' and pid in"
                + " (select pid from pg_locks where locktype = 'advisory' and granted)");
        outbox.append("key", 10);

        soon().until(() -> zombie.state() == RelayState.LEADER ^ successor.state() == RelayState.LEADER);
        outbox.awaitQuiet();
        assertNothingMissing();
    }

    private void assertNothingMissing() {
        assertThat(outbox.topicIds()).containsAll(outbox.outboxIds());
    }

    private void assertNothingMissingAndInOrder() {
        assertThat(outbox.topicIds().stream().distinct()).containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
        for (String key : Load.keys()) {
            assertThat(outbox.topicIdsOf(key)).isEqualTo(outbox.outboxIdsOf(key));
        }
    }
}
