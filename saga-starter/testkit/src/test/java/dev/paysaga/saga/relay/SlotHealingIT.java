package dev.paysaga.saga.relay;

import static dev.paysaga.saga.relay.RelayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ways in which rows can miss the log. The proof is always the same: the ids in the topic are the ids in the outbox. */
final class SlotHealingIT {

    @Test
    void aSlotDroppedWhileNobodyRelaysIsMadeAnewAndNothingIsMissing() {
        try (var outbox = new RelayFixture()) {
            relaySomething(outbox);
            outbox.append("while-down", 10);
            outbox.dropSlot();
            outbox.append("without-slot", 10);

            OutboxRelay relay = outbox.startLeader();
            outbox.append("after", 10);

            assertNothingMissing(outbox);
            assertThat(relay.healedRows()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void aSlotRecreatedBySomebodyElseHidesNothing() {
        try (var outbox = new RelayFixture()) {
            relaySomething(outbox);
            outbox.append("while-down", 10);
            outbox.dropSlot();
            outbox.append("without-slot", 10);
            createSlot(outbox);

            outbox.startLeader();
            outbox.append("after", 10);

            assertNothingMissing(outbox);
        }
    }

    @Test
    void aSlotAdvancedBySomebodyElseHidesNothing() throws Exception {
        try (var outbox = new RelayFixture()) {
            relaySomething(outbox);
            outbox.append("while-down", 10);
            try (var connection = new RelayDatabase(
                                    outbox.database.url(),
                                    outbox.database.relayUsername(),
                                    outbox.database.relayPassword())
                            .connect("test");
                    var statement = connection.createStatement()) {
                statement.execute(
                        "select pg_replication_slot_advance('" + outbox.database.name() + "', pg_current_wal_lsn())");
            }

            outbox.startLeader();
            outbox.append("after", 10);

            assertNothingMissing(outbox);
        }
    }

    @Test
    void aSlotDroppedUnderTheRunningRelayIsHealedByItself() {
        try (var outbox = new RelayFixture()) {
            OutboxRelay relay = outbox.startLeader();
            try (Load load = Load.on(outbox, 1_500)) {
                load.awaitWritten(300);
                // Between the end of its reader and the next one, somebody is faster than the relay.
                outbox.dropSlot();
                load.finish();
            }

            assertNothingMissing(outbox);
            soon().until(() -> relay.state() == RelayState.LEADER);
        }
    }

    @Test
    void aLostSlotIsReplacedAndNothingIsMissing() {
        try (var server = PostgresServer.start(Map.of(
                        "max_slot_wal_keep_size", "1MB",
                        "wal_keep_size", "0",
                        "min_wal_size", "32MB",
                        "max_wal_size", "32MB"));
                var outbox = new RelayFixture(server, KafkaBroker.shared())) {
            relaySomething(outbox);
            outbox.append("while-down", 10);
            outbox.jdbc.sql("create table neighbour (filler text)").update();
            soon().until(() -> {
                outbox.jdbc
                        .sql("insert into neighbour select repeat(md5(n::text), 100) from generate_series(1, 5000) n")
                        .update();
                server.administer("select pg_switch_wal()", "checkpoint");
                return outbox.slot("wal_status = 'lost'");
            });

            outbox.startLeader();
            outbox.append("after", 10);

            assertNothingMissing(outbox);
            assertThat(outbox.slot("wal_status <> 'lost'")).isTrue();
            assertThat(outbox.meters.counter("paysaga.outbox.slots.replaced").count())
                    .isEqualTo(2);
        }
    }

    @Test
    void aWatermarkWrittenByHandAsZeroSendsEverythingRetainedAgain() {
        try (var outbox = new RelayFixture()) {
            relaySomething(outbox);
            int before = outbox.topicIds().size();
            outbox.jdbc.sql("update relay_state set watermark = '0'").update();

            outbox.startLeader();

            outbox.awaitQuiet();
            assertThat(outbox.topicIds()).hasSize(2 * before);
        }
    }

    @Test
    void aWatermarkFromAnotherServerProvesNothing() {
        try (var outbox = new RelayFixture()) {
            outbox.append("restored", 10);
            outbox.jdbc
                    .sql("update relay_state set watermark = '9000000000000'")
                    .update();

            outbox.startLeader();
            outbox.append("after", 10);

            assertNothingMissing(outbox);
        }
    }

    private static void relaySomething(RelayFixture outbox) {
        OutboxRelay relay = outbox.startLeader();
        outbox.append("before", 10);
        outbox.awaitQuiet();
        relay.stop();
        soon().until(() -> outbox.slot("not active"));
    }

    private static void createSlot(RelayFixture outbox) {
        try (var connection = new RelayDatabase(
                                outbox.database.url(), outbox.database.relayUsername(), outbox.database.relayPassword())
                        .connect("test");
                var statement = connection.createStatement()) {
            statement.execute(
                    "select pg_create_logical_replication_slot('" + outbox.database.name() + "', 'pgoutput')");
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertNothingMissing(RelayFixture outbox) {
        outbox.awaitQuiet();
        assertThat(outbox.topicIds().stream().distinct()).containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
    }
}
