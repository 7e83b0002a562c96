package dev.paysaga.saga.relay;

import static dev.paysaga.saga.relay.RelayFixture.within;

import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class IdleOutboxIT {

    private static final long BOUND = 20 * 1024 * 1024;

    @Test
    void aBusyNeighbourDoesNotMakeAnIdleOutboxKeepTheLog() {
        try (var server = PostgresServer.start();
                var outbox = new RelayFixture(server, KafkaBroker.shared())) {
            outbox.startLeader();
            outbox.jdbc.sql("create table neighbour (filler text)").update();
            long before = written(outbox);

            within(Duration.ofMinutes(4)).until(() -> {
                outbox.jdbc
                        .sql("insert into neighbour select repeat(md5(n::text), 10) from generate_series(1, 20000) n")
                        .update();
                return written(outbox) - before > 4 * BOUND;
            });

            server.administer("checkpoint");
            within(Duration.ofMinutes(2)).until(() -> retained(outbox) < BOUND);
        }
    }

    private static long written(RelayFixture outbox) {
        return outbox.jdbc
                .sql("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
                .query(Long.class)
                .single();
    }

    private static long retained(RelayFixture outbox) {
        return outbox.jdbc
                .sql("select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint from pg_replication_slots"
                        + " where slot_name = ?")
                .param(outbox.database.name())
                .query(Long.class)
                .single();
    }
}
