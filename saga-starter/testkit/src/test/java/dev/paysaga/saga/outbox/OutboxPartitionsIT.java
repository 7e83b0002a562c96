package dev.paysaga.saga.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.testkit.UtcDay;
import java.sql.Connection;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

final class OutboxPartitionsIT {

    private final LocalDate today = UtcDay.lasting(Duration.ofMinutes(2));

    private DataSource dataSource;
    private JdbcClient jdbc;
    private OutboxPartitions partitions;

    @BeforeEach
    void migrate() {
        PostgresDatabase database = PostgresServer.shared().createDatabase("partitions");
        dataSource = database.dataSource();
        Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:db/saga")
                .placeholders(Map.of("relay_role", database.relayUsername()))
                .load()
                .migrate();
        jdbc = JdbcClient.create(dataSource);
        partitions = new OutboxPartitions(
                jdbc, new TransactionTemplate(new JdbcTransactionManager(dataSource)), Duration.ofDays(3));
    }

    @Test
    void daysAroundTodayAreCreatedAhead() {
        partitions.maintain();
        partitions.maintain();

        assertThat(partitions.days())
                .isEqualTo(Stream.iterate(today.minusDays(1), day -> day.plusDays(1))
                        .limit(5)
                        .map(OutboxPartitions::nameOf)
                        .toList());
        append(0);
        assertThat(jdbc.sql("select count(*) from outbox_default")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void aDayPastTheRetentionGoesAsAWholeOnceItIsRelayed() {
        partitions.maintain();
        createDay(today.minusDays(5));
        append(5);
        append(2);
        relayEverything();

        partitions.maintain();

        assertThat(partitions.days()).doesNotContain(OutboxPartitions.nameOf(today.minusDays(5)));
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void aDayWithOneUnrelayedRowStays() {
        createDay(today.minusDays(5));
        append(5);
        relayEverything();
        append(5);

        partitions.maintain();

        assertThat(partitions.days()).contains(OutboxPartitions.nameOf(today.minusDays(5)));
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void rowsOfADayWithoutAPartitionAreKeptAndGoTheSameWay() {
        append(9);
        relayEverything();
        append(8);

        partitions.maintain();

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void maintenanceGivesWayToWritersAndSucceedsLater() throws Exception {
        createDay(today.minusDays(5));
        relayEverything();
        try (Connection writer = dataSource.getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("lock table outbox in row exclusive mode");

            // Would it not give way, it would wait for ever: the writer goes on only afterwards.
            assertTimeoutPreemptively(Duration.ofMinutes(1), partitions::maintain);
            assertThat(partitions.days()).isEqualTo(List.of(OutboxPartitions.nameOf(today.minusDays(5))));
            writer.rollback();
        }

        partitions.maintain();
        assertThat(partitions.days()).hasSize(5).doesNotContain(OutboxPartitions.nameOf(today.minusDays(5)));
    }

    @Test
    void twoReplicasMayMaintainAtOnce() throws Exception {
        try (var replicas = java.util.concurrent.Executors.newFixedThreadPool(4)) {
            var rounds = Stream.generate(() -> replicas.submit(partitions::maintain))
                    .limit(4)
                    .toList();
            for (var round : rounds) {
                round.get();
            }
        }
        partitions.maintain();
        assertThat(partitions.days()).hasSize(5);
    }

    private void createDay(LocalDate day) {
        jdbc.sql("create table %s partition of outbox for values from ('%sT00:00:00Z') to ('%sT00:00:00Z')"
                        .formatted(OutboxPartitions.nameOf(day), day, day.plusDays(1)))
                .update();
    }

    private void append(int daysAgo) {
        jdbc.sql("""
                        insert into outbox (id, aggregate_type, aggregate_id, event_type, topic, payload, created_at)
                        values (gen_random_uuid(), 'thing', 'a', 'ThingHappened', 'things', '\\x00',
                                date_trunc('day', now(), 'UTC') - make_interval(days => ?))
                        """).param(daysAgo).update();
    }

    private void relayEverything() {
        jdbc.sql("update relay_state set watermark = pg_snapshot_xmin(pg_current_snapshot())")
                .update();
    }

    private int rows() {
        return jdbc.sql("select count(*) from outbox").query(Integer.class).single();
    }
}
