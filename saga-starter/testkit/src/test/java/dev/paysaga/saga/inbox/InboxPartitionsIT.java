package dev.paysaga.saga.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paysaga.saga.EventIds;
import dev.paysaga.testkit.UtcDay;
import java.sql.Connection;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class InboxPartitionsIT {

    private final LocalDate today = UtcDay.lasting(Duration.ofMinutes(2));

    private Shop shop;
    private InboxPartitions partitions;

    @BeforeEach
    void open() {
        shop = Shop.open();
        partitions = new InboxPartitions(shop.jdbc, shop.transaction, Duration.ofDays(8));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void there_is_a_partition_for_yesterday_and_for_each_of_the_days_to_come() {
        partitions.maintain();
        partitions.maintain();

        assertThat(partitions.days())
                .isEqualTo(IntStream.rangeClosed(-1, 3)
                        .mapToObj(n -> InboxPartitions.nameOf(today.plusDays(n)))
                        .toList());
    }

    @Test
    void an_event_is_kept_with_the_day_its_saga_began() {
        partitions.maintain();
        remember(EventIds.next(System.currentTimeMillis()));
        remember(EventIds.derive(EventIds.next(System.currentTimeMillis()), "any", "Any", 0));
        remember(EventIds.next(
                today.minusDays(400).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli()));
        remember(UUID.fromString("ffffffff-ffff-4fff-bfff-ffffffffffff"));

        assertThat(shop.count(InboxPartitions.nameOf(today))).isEqualTo(2);
        assertThat(shop.count("inbox_default")).isEqualTo(2);
    }

    @Test
    void what_is_past_the_retention_goes_and_nothing_else() {
        for (int age = 5; age <= 12; age++) {
            LocalDate day = today.minusDays(age);
            shop.jdbc.execute("create table %s partition of inbox for values from ('%s') to ('%s')"
                    .formatted(
                            InboxPartitions.nameOf(day),
                            InboxPartitions.lowerBound(day),
                            InboxPartitions.lowerBound(day.plusDays(1))));
        }
        UUID old = UUID.fromString("ffffffff-ffff-4fff-bfff-ffffffffffff");
        remember(old);
        remember(UUID.fromString("ffffffff-ffff-4fff-bfff-fffffffffffe"));
        shop.jdbc.update("update inbox set received_at = now() - interval '9 days' where event_id = ?", old);

        partitions.maintain();

        assertThat(partitions.days().getFirst()).isEqualTo(InboxPartitions.nameOf(today.minusDays(8)));
        assertThat(shop.jdbc.queryForList("select event_id from inbox_default", UUID.class))
                .containsExactly(UUID.fromString("ffffffff-ffff-4fff-bfff-fffffffffffe"));
    }

    /** Dropping a partition costs the same for ten million rows; a quarter of a million shows it and takes seconds. */
    @Test
    void a_day_of_many_rows_is_dropped_under_load_without_a_deadlock_or_a_slow_poll() throws Exception {
        partitions.maintain();
        LocalDate old = today.minusDays(20);
        shop.jdbc.execute("create table %s partition of inbox for values from ('%s') to ('%s')"
                .formatted(
                        InboxPartitions.nameOf(old),
                        InboxPartitions.lowerBound(old),
                        InboxPartitions.lowerBound(old.plusDays(1))));
        shop.jdbc.update("""
                insert into inbox (consumer, event_id, topic)
                select 'x', (substr(?, 1, 19) || '8000-' || lpad(to_hex(n), 12, '0'))::uuid, 't'
                  from generate_series(1, 250000) n
                """, InboxPartitions.lowerBound(old).toString());
        var slowest = new AtomicLong();
        var done = new AtomicBoolean();
        var underWay = new CountDownLatch(1);
        try (var load = Executors.newSingleThreadExecutor()) {
            Future<Integer> polls = load.submit(() -> {
                int count = 0;
                for (; !done.get() || count < 20; count++) {
                    long start = System.nanoTime();
                    shop.reactor.handle(List.of(shop.bump(1, 1, "under load " + count)));
                    slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                    underWay.countDown();
                }
                return count;
            });
            try {
                assertThat(underWay.await(2, TimeUnit.MINUTES)).isTrue();
                while (partitions.days().contains(InboxPartitions.nameOf(old))) {
                    partitions.maintain();
                }
            } finally {
                done.set(true);
            }
            assertThat(shop.total(1)).isPositive();
            assertThat(polls.get()).isGreaterThanOrEqualTo(20);
        }

        // Usually a fraction of a second; a loaded machine may take its time.
        assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofSeconds(30));
        assertThat(shop.jdbc.queryForObject(
                        "select deadlocks from pg_stat_database where datname = current_database()", Long.class))
                .isZero();
    }

    @Test
    void maintenance_gives_way_to_whoever_uses_the_inbox() throws Exception {
        partitions.maintain();
        LocalDate old = today.minusDays(20);
        shop.jdbc.execute("create table %s partition of inbox for values from ('%s') to ('%s')"
                .formatted(
                        InboxPartitions.nameOf(old),
                        InboxPartitions.lowerBound(old),
                        InboxPartitions.lowerBound(old.plusDays(1))));
        try (Connection busy = shop.database.getConnection();
                var statement = busy.createStatement()) {
            busy.setAutoCommit(false);
            statement.execute("insert into inbox (consumer, event_id, topic) values ('x', '%s', 't')"
                    .formatted(EventIds.next(System.currentTimeMillis())));

            // Would it not give way, it would wait for ever: the other goes on only afterwards.
            assertTimeoutPreemptively(Duration.ofMinutes(1), partitions::maintain);
            assertThat(partitions.days()).contains(InboxPartitions.nameOf(old));
            busy.rollback();
        }
        partitions.maintain();
        assertThat(partitions.days()).doesNotContain(InboxPartitions.nameOf(old));
    }

    @Test
    void events_after_the_purge_are_stopped_by_nothing_here() {
        partitions.maintain();
        var record = shop.bump(1, 1, "again");
        shop.reactor.handle(List.of(record));
        shop.jdbc.update("delete from inbox");
        shop.reactor.handle(List.of(record));

        assertThat(shop.notes(1))
                .as("which is why a service's states must stop them")
                .hasSize(2);
    }

    private void remember(UUID event) {
        shop.jdbc.update("insert into inbox (consumer, event_id, topic) values ('tally', ?, 'bumps')", event);
    }
}
