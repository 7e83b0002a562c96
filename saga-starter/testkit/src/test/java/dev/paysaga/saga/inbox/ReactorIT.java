package dev.paysaga.saga.inbox;

import static dev.paysaga.saga.inbox.Shop.counter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkedEvent.Status;
import dev.paysaga.saga.parking.ParkedEvents.Outcome;
import dev.paysaga.saga.parking.ParkingAnnouncer;
import dev.paysaga.saga.workorder.WorkOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

@Timeout(300)
final class ReactorIT {

    private Shop shop;

    @BeforeEach
    void open() {
        shop = Shop.open((parked, order) -> List.of(new Counted(counter(0), 0, "parked " + parked.place())));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void an_event_takes_effect_once_however_often_it_is_delivered() {
        var first = shop.bump(1, 5, "a");
        var second = shop.bump(1, 6, "b");

        shop.reactor.handle(List.of(first, second, first));
        shop.reactor.handle(List.of(first, second));
        shop.reactor.handle(List.of(second));

        assertThat(shop.notes(1)).containsExactly("a", "b");
        assertThat(shop.total(1)).isEqualTo(11);
        assertThat(shop.count("outbox")).isEqualTo(2);
        assertThat(shop.count("inbox")).isEqualTo(2);
        assertThat(shop.outcome("applied")).isEqualTo(2);
        assertThat(shop.outcome("duplicate")).isEqualTo(4);
    }

    @Test
    void what_it_announces_has_an_id_that_derives_from_its_cause() {
        var received = shop.bump(1, 5, "a");

        shop.reactor.handle(List.of(received));

        UUID announced = shop.jdbc.queryForObject("select id from outbox", UUID.class);
        assertThat(announced).isEqualTo(EventIds.derive(Shop.eventId("1/5/a"), Shop.CONSUMER, "Counted", 0));
    }

    @Test
    void the_number_of_statements_does_not_grow_with_the_poll() {
        var counts = new ArrayList<List<String>>();
        for (int size : new int[] {1, 10, 500}) {
            List<ConsumerRecord<byte[], byte[]>> poll = IntStream.range(0, size)
                    .mapToObj(i -> shop.bump(i, 1, "poll of " + size))
                    .toList();
            shop.database.reset();
            shop.reactor.handle(poll);
            counts.add(shop.database.executed());
        }

        assertThat(counts.get(0)).hasSize(6);
        assertThat(counts.get(1)).isEqualTo(counts.get(0));
        assertThat(counts.get(2)).isEqualTo(counts.get(0));
        assertThat(shop.count("bumps")).isEqualTo(511);
    }

    @Test
    void the_number_of_statements_does_not_grow_with_the_parked_events_either() {
        var counts = new ArrayList<Integer>();
        for (int size : new int[] {1, 10, 500}) {
            List<ConsumerRecord<byte[], byte[]>> poll = IntStream.range(0, size)
                    .mapToObj(i -> shop.bump(1_000 * size + i, Tally.IMPOSSIBLE, "x"))
                    .toList();
            shop.database.reset();
            shop.reactor.handle(poll);
            counts.add(shop.database.executed().size());
        }

        assertThat(counts.get(1)).isEqualTo(counts.get(0));
        assertThat(counts.get(2)).isEqualTo(counts.get(0));
        assertThat(shop.count("parked_events")).isEqualTo(511);
    }

    @Test
    void an_impossible_event_is_parked_with_all_behind_it_on_its_key_while_others_go_on() {
        var poll = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        poll.add(shop.bump(7, 1, "before"));
        poll.add(shop.bump(7, Tally.IMPOSSIBLE, "poison"));
        for (int other = 1_000; other < 2_000; other++) {
            poll.add(shop.bump(other, 1, "other"));
        }
        poll.add(shop.bump(7, 2, "behind"));

        shop.reactor.handle(poll);
        shop.reactor.handle(List.of(shop.bump(7, 3, "later"), shop.bump(8, 1, "other")));
        shop.reactor.handle(List.of(shop.bump(Counters.UNDOS, 7, 4, "another topic")));

        assertThat(shop.notes(7)).containsExactly("before", "another topic");
        assertThat(shop.count("bumps where note = 'other'")).isEqualTo(1_001);
        assertThat(shop.parked.list(null, null, 10))
                .extracting(event -> event.offset() + " " + event.status())
                .containsExactly("1 PARKED", "1002 QUEUED", "1003 QUEUED");
        assertThat(shop.count("inbox")).isEqualTo(1_003);
        assertThat(shop.outcome("parked")).isEqualTo(3);
        assertThat(shop.parked.list(Status.PARKED, null, 10)).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("bump by 13 cannot follow counter " + counter(7));
            assertThat(event.eventType()).isEqualTo("dev.paysaga.saga.inbox.Bumped");
            assertThat(event.key()).isEqualTo(counter(7).toString());
            assertThat(event.headers()).containsKey("ce_id");
            assertThat(event.payload()).isEqualTo(poll.get(1).value());
        });
    }

    @Test
    void a_parked_event_opens_a_work_order_and_is_announced_in_the_same_commit() {
        shop.reactor.handle(List.of(shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind")));

        assertThat(shop.workOrders.of(counter(7))).singleElement().satisfies(order -> {
            assertThat(order.kind()).isEqualTo("EVENT_PARKED");
            assertThat(order.isOpen()).isTrue();
            assertThat(order.detail()).contains("bumps/0@0", "cannot follow", "redrive");
        });
        assertThat(shop.count("outbox")).isEqualTo(1);
    }

    @Test
    void a_redelivered_parked_event_stays_one_row_one_work_order_and_one_announcement() {
        var poll = List.of(shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind"));

        shop.reactor.handle(poll);
        shop.reactor.handle(poll);
        shop.reactor.handle(poll.subList(1, 2));

        assertThat(shop.count("parked_events")).isEqualTo(2);
        assertThat(shop.count("work_orders")).isEqualTo(1);
        assertThat(shop.count("outbox")).isEqualTo(1);
        assertThat(shop.outcome("parked")).isEqualTo(2);
        assertThat(shop.outcome("duplicate")).isEqualTo(3);
    }

    @Test
    void a_redrive_applies_the_whole_queue_in_order_and_once() {
        var poison = shop.bump(7, Tally.IMPOSSIBLE, "poison");
        var behind = shop.bump(7, 1, "behind");
        shop.reactor.handle(List.of(poison, behind, shop.bump(7, 2, "later")));
        UUID head = headOf(7);
        shop.tally.repaired.add(Tally.IMPOSSIBLE);

        var release = shop.parked.redrive(head);
        shop.reactor.handle(List.of(poison, behind));
        shop.reactor.handle(List.of(shop.bump(7, 3, "new")));

        assertThat(release.outcome()).isEqualTo(Outcome.DONE);
        assertThat(release.handled()).isEqualTo(3);
        assertThat(shop.notes(7)).containsExactly("poison", "behind", "later", "new");
        assertThat(shop.parked.waiting()).isZero();
        assertThat(shop.parked.redrive(head).outcome()).isEqualTo(Outcome.CLOSED_BEFORE);
        assertThat(shop.workOrders.of(counter(7)))
                .singleElement()
                .satisfies(order -> assertThat(order.status()).isEqualTo(WorkOrder.Status.RESOLVED));
    }

    @Test
    void a_redrive_in_vain_changes_nothing_but_the_reason() {
        shop.reactor.handle(List.of(shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind")));

        var release = shop.parked.redrive(headOf(7));

        assertThat(release.outcome()).isEqualTo(Outcome.STILL_PARKED);
        assertThat(release.handled()).isZero();
        assertThat(shop.notes(7)).isEmpty();
        assertThat(shop.parked.waiting()).isEqualTo(2);
        assertThat(shop.count("inbox")).isZero();
        assertThat(shop.count("work_orders")).isEqualTo(1);
    }

    @Test
    void a_redrive_stops_at_the_next_event_that_cannot_be_handled_and_that_one_gets_a_work_order() {
        shop.reactor.handle(List.of(
                shop.bump(7, Tally.IMPOSSIBLE, "poison"),
                shop.bump(7, 1, "fine"),
                shop.bump(7, Tally.BUG, "bug"),
                shop.bump(7, 2, "last")));
        shop.tally.repaired.add(Tally.IMPOSSIBLE);

        var release = shop.parked.redrive(headOf(7));

        assertThat(release.outcome()).isEqualTo(Outcome.STILL_PARKED);
        assertThat(release.handled()).isEqualTo(2);
        assertThat(shop.notes(7)).containsExactly("poison", "fine");
        assertThat(shop.total(7)).isEqualTo(14);
        assertThat(shop.workOrders.of(counter(7))).hasSize(2);
        ParkedEvent stopped = shop.parked.find(headOf(7)).orElseThrow();
        assertThat(stopped.reason()).contains("a bug");
        assertThat(release.stopped()).isNotNull();

        shop.tally.repaired.add(Tally.BUG);
        assertThat(shop.parked.redrive(stopped.id()).handled()).isEqualTo(2);
        assertThat(shop.notes(7)).containsExactly("poison", "fine", "bug", "last");
    }

    @Test
    void only_the_first_of_a_queue_can_be_redriven_or_skipped() {
        shop.reactor.handle(List.of(shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind")));
        UUID queued = shop.parked.list(Status.QUEUED, null, 1).getFirst().id();

        assertThat(shop.parked.redrive(queued).outcome()).isEqualTo(Outcome.NOT_FIRST);
        assertThat(shop.parked.skip(queued, "ann").outcome()).isEqualTo(Outcome.NOT_FIRST);
        assertThat(shop.parked.redrive(UUID.randomUUID()).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void a_skipped_event_never_takes_effect_and_what_waited_behind_it_goes_on() {
        var poll = List.of(shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind"));
        shop.reactor.handle(poll);

        var release = shop.parked.skip(headOf(7), "ann");
        shop.tally.repaired.add(Tally.IMPOSSIBLE);
        shop.reactor.handle(poll);

        assertThat(release.outcome()).isEqualTo(Outcome.DONE);
        assertThat(shop.notes(7)).containsExactly("behind");
        assertThat(shop.parked.waiting()).isZero();
        assertThat(shop.workOrders.of(counter(7))).allMatch(WorkOrder::isOpen);
    }

    @Test
    void a_bug_that_changed_something_before_it_broke_leaves_no_trace_of_that() {
        shop.reactor.handle(List.of(
                shop.bump(7, 1, "before"),
                shop.bump(7, Tally.BUG, "bug"),
                shop.bump(7, 2, "behind"),
                shop.bump(8, 1, "other")));

        assertThat(shop.total(7)).isEqualTo(1);
        assertThat(shop.notes(7)).containsExactly("before");
        assertThat(shop.notes(8)).containsExactly("other");
        assertThat(shop.parked.waiting()).isEqualTo(2);
        assertThat(shop.parked.find(headOf(7)).orElseThrow().reason()).isEqualTo("NullPointerException: a bug");
    }

    @Test
    void an_event_that_cannot_be_saved_is_found_among_500_and_parked_alone() {
        List<ConsumerRecord<byte[], byte[]>> poll = new ArrayList<>(
                IntStream.range(0, 500).mapToObj(i -> shop.bump(i, 1, "fine")).toList());
        poll.set(333, shop.bump(333, Tally.OVERFLOW, "too much"));
        poll.set(77, shop.bump(77, 1, "not for text: \0"));

        shop.reactor.handle(poll);

        assertThat(shop.count("bumps")).isEqualTo(498);
        assertThat(shop.parked.list(null, null, 10))
                .extracting(ParkedEvent::key)
                .containsExactlyInAnyOrder(counter(77).toString(), counter(333).toString());
        assertThat(shop.parked.list(null, null, 10))
                .extracting(ParkedEvent::reason)
                .allMatch(reason -> reason.startsWith("DataIntegrityViolationException"));
    }

    @Test
    void garbage_of_every_kind_is_parked_and_harms_nobody() {
        String key = counter(9).toString();
        String realId = Shop.eventId("9/1/real").toString();
        var wrongTopic = shop.bump(9, 1, "a counted");
        shop.reactor.handle(List.of(
                shop.record("bumps", key, realId, new byte[] {1, 2, 3}),
                shop.record("bumps", null, null, "{\"json\": true}".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                shop.record("bumps", null, null, null),
                shop.record("bumps", "k\0y", "no uuid", new byte[0]),
                shop.record("bumps", "", "1-1-1-1-1", java.util.Arrays.copyOf(wrongTopic.value(), 20)),
                shop.record(Counters.COUNTS, "c", null, wrongTopic.value()),
                shop.bump(10, 1, "fine")));
        var binary = shop.record("bumps", "h", "\0", new byte[] {5});
        binary.headers().add("\0\uD800", new byte[] {(byte) 0xC3, 0, 1});
        shop.reactor.handle(List.of(binary, shop.bump(10, 2, "fine too")));

        assertThat(shop.notes(10)).containsExactly("fine", "fine too");
        assertThat(shop.parked.list(Status.PARKED, null, 20))
                .hasSize(7)
                .allSatisfy(event -> assertThat(event.reason()).isNotBlank());

        UUID first = headOf(9);
        assertThat(shop.parked.redrive(first).outcome()).isEqualTo(Outcome.STILL_PARKED);
        shop.parked.skip(first, "ann");
        shop.reactor.handle(List.of(shop.bump(9, 1, "real")));
        assertThat(shop.notes(9)).as("garbage took the id of a real event").containsExactly("real");
    }

    @Test
    void records_without_a_key_do_not_wait_for_each_other() {
        var keyless =
                shop.record("bumps", null, null, shop.bump(3, 1, "keyless").value());

        shop.reactor.handle(List.of(shop.record("bumps", null, null, new byte[] {1}), keyless));

        assertThat(shop.notes(3)).containsExactly("keyless");
    }

    @Test
    void an_event_without_an_id_is_known_by_its_place() {
        var record = shop.record(
                "bumps", counter(3).toString(), null, shop.bump(3, 1, "foreign").value());
        var sameWords = shop.record("bumps", counter(3).toString(), null, record.value());

        shop.reactor.handle(List.of(record, sameWords));
        shop.reactor.handle(List.of(record));

        assertThat(shop.notes(3)).containsExactly("foreign", "foreign");
    }

    @Test
    void what_is_of_no_concern_costs_no_statement() {
        var record = shop.bump(3, Tally.OF_NO_CONCERN, "chatter");
        shop.database.reset();

        shop.reactor.handle(List.of(record, record));

        assertThat(shop.database.executed()).isEmpty();
        assertThat(shop.outcome("ignored")).isEqualTo(2);
    }

    @Test
    void a_fault_of_the_surroundings_fails_the_poll_as_a_whole_and_parks_nothing() {
        var poll = List.of(shop.bump(1, 1, "a"), shop.bump(2, 2, "b"));
        for (RuntimeException fault : List.of(
                new CannotAcquireLockException("deadlock"),
                new DataAccessResourceFailureException("away"),
                new IllegalStateException("wrapped", new java.sql.SQLTransientConnectionException("away")),
                new org.springframework.dao.OptimisticLockingFailureException("lost"))) {
            shop.tally.surroundings = bumped -> {
                if (bumped.by() == 2) {
                    throw fault;
                }
            };

            assertThatThrownBy(() -> shop.reactor.handle(poll)).isSameAs(fault);

            assertThat(shop.count("inbox")).isZero();
            assertThat(shop.count("bumps")).isZero();
            assertThat(shop.count("parked_events")).isZero();
        }
        shop.tally.surroundings = bumped -> {};
        shop.reactor.handle(poll);
        assertThat(shop.count("bumps")).isEqualTo(2);
    }

    @Test
    void a_parked_event_that_cannot_be_written_fails_the_poll_and_loses_nothing() {
        var poll =
                List.of(shop.bump(1, 1, "good"), shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind"));
        shop.jdbc.execute("alter table parked_events rename to parked_events_gone");

        assertThatThrownBy(() -> shop.reactor.handle(poll)).isInstanceOf(DataAccessException.class);
        assertThat(shop.count("inbox")).isZero();
        assertThat(shop.count("bumps")).isZero();

        shop.jdbc.execute("alter table parked_events_gone rename to parked_events");
        shop.reactor.handle(poll);
        assertThat(shop.notes(1)).containsExactly("good");
        assertThat(shop.parked.waiting()).isEqualTo(2);
    }

    @Test
    void parking_that_is_refused_for_what_it_writes_does_not_loop_and_loses_nothing() {
        var poll = List.of(shop.bump(1, 1, "good"), shop.bump(7, Tally.IMPOSSIBLE, "poison"));
        shop.jdbc.execute("alter table parked_events add constraint no check (key = '')");

        assertThatThrownBy(() -> shop.reactor.handle(poll)).isInstanceOf(DataAccessException.class);

        assertThat(shop.count("parked_events")).isZero();
        assertThat(shop.count("inbox where event_id = '" + Shop.eventId("7/13/poison") + "'"))
                .isZero();
    }

    @Test
    void an_event_is_parked_even_if_nobody_finds_words_for_it() {
        for (ParkingAnnouncer speechless : List.<ParkingAnnouncer>of(
                (parked, order) -> {
                    throw new NullPointerException("no merchant");
                },
                (parked, order) -> List.of(new Counted(counter(0), 0, null)))) {
            try (Shop other = Shop.open(speechless)) {
                other.reactor.handle(List.of(other.bump(7, Tally.IMPOSSIBLE, "poison"), other.bump(8, 1, "other")));

                assertThat(other.parked.waiting()).isEqualTo(1);
                assertThat(other.workOrders.of(counter(7))).hasSize(1);
                assertThat(other.notes(8)).containsExactly("other");
            }
        }
    }

    @Test
    void an_event_that_would_take_the_place_of_a_waiting_one_is_not_lost() {
        var poison = shop.bump(7, Tally.IMPOSSIBLE, "poison");
        shop.reactor.handle(List.of(poison));
        var sameplace = new ConsumerRecord<>(
                poison.topic(),
                0,
                poison.offset(),
                1_700_000_000_000L,
                org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                -1,
                -1,
                poison.key(),
                new byte[] {9},
                new org.apache.kafka.common.header.internals.RecordHeaders(),
                java.util.Optional.empty());

        assertThatThrownBy(() -> shop.reactor.handle(List.of(sameplace)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("created anew");
        assertThat(shop.count("inbox")).isZero();
    }

    @Test
    void two_replicas_with_the_same_records_have_one_effect_and_no_deadlock() throws Exception {
        try (Shop other = shop.replica();
                var threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 40; round++) {
                int r = round;
                List<ConsumerRecord<byte[], byte[]>> poll = IntStream.range(0, 50)
                        .mapToObj(i -> shop.bump(i % 20, i % 17 == 3 ? Tally.IMPOSSIBLE : 1, "round " + r + " " + i))
                        .toList();
                List<ConsumerRecord<byte[], byte[]>> longer = new ArrayList<>(poll);
                longer.add(shop.bump(r % 20, 1, "longer " + r));
                List<ConsumerRecord<byte[], byte[]>> fromElsewhere = IntStream.range(0, 20)
                        .mapToObj(i -> shop.bump(Counters.UNDOS, 19 - i, 1, "undo " + r))
                        .toList();
                List<Future<?>> all = new ArrayList<>();
                all.add(threads.submit(() -> shop.reactor.handle(poll)));
                all.add(threads.submit(() -> other.reactor.handle(longer)));
                all.add(threads.submit(() -> other.reactor.handle(poll.reversed())));
                all.add(threads.submit(() -> shop.reactor.handle(fromElsewhere)));
                for (Future<?> one : all) {
                    one.get();
                }
            }
        }
        assertThat(shop.jdbc.queryForList(
                        "select event_id from bumps group by event_id having count(*) > 1", UUID.class))
                .isEmpty();
        assertThat(shop.jdbc.queryForObject(
                        "select deadlocks from pg_stat_database where datname = current_database()", Long.class))
                .isZero();
    }

    @Test
    void a_replica_that_comes_second_sees_what_the_first_one_did_to_an_aggregate_nobody_knew() throws Exception {
        var created = shop.bump(1, 1, "created");
        var next = shop.bump(1, 2, "next");
        var reacting = new java.util.concurrent.CountDownLatch(1);
        var goOn = new java.util.concurrent.CountDownLatch(1);
        shop.tally.surroundings = bumped -> {
            reacting.countDown();
            await(goOn);
        };
        try (Shop other = shop.replica();
                var threads = Executors.newFixedThreadPool(2)) {
            var first = threads.submit(() -> shop.reactor.handle(List.of(created)));
            reacting.await();
            var second = threads.submit(() -> other.reactor.handle(List.of(created, next)));
            awaitBlocked();
            goOn.countDown();
            first.get();
            second.get();
        }

        assertThat(shop.total(1)).isEqualTo(3);
        assertThat(shop.notes(1)).containsExactly("created", "next");
    }

    @Test
    void what_comes_in_during_a_redrive_neither_overtakes_nor_gets_lost() throws Exception {
        for (int round = 0; round < 20; round++) {
            int key = 100 + round;
            shop.tally.repaired.clear();
            var expected = new ArrayList<String>(List.of("poison"));
            var behind = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            shop.reactor.handle(List.of(shop.bump(key, Tally.IMPOSSIBLE, "poison")));
            for (int i = 0; i < 20; i++) {
                behind.add(shop.bump(key, 1, "behind " + i));
                expected.add("behind " + i);
            }
            shop.reactor.handle(behind.subList(0, 5));
            shop.tally.repaired.add(Tally.IMPOSSIBLE);
            UUID head = headOf(key);
            try (Shop other = shop.replica();
                    var threads = Executors.newFixedThreadPool(2)) {
                other.tally.repaired.add(Tally.IMPOSSIBLE);
                var redrive = threads.submit(() -> shop.parked.redrive(head));
                var coming = threads.submit(() -> behind.forEach(record -> other.reactor.handle(List.of(record))));
                redrive.get();
                coming.get();
            }
            assertThat(shop.notes(key)).isEqualTo(expected);
            assertThat(shop.parked.waiting()).isZero();
        }
    }

    @Test
    void a_queue_that_was_closed_long_ago_opens_again_when_its_event_comes_back_after_the_purge() {
        var poll = List.of(shop.bump(7, Tally.IMPOSSIBLE, "poison"), shop.bump(7, 1, "behind"));
        shop.reactor.handle(poll);
        shop.parked.skip(headOf(7), "ann");
        shop.jdbc.update("delete from inbox");

        shop.reactor.handle(poll);

        assertThat(shop.parked.list(null, null, 10))
                .extracting(ParkedEvent::status)
                .containsExactly(Status.PARKED, Status.QUEUED);
    }

    private UUID headOf(int counter) {
        return shop.parked.list(Status.PARKED, null, 1_000).stream()
                .filter(event -> event.key().equals(counter(counter).toString()))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private void awaitBlocked() {
        while (!Boolean.TRUE.equals(shop.jdbc.queryForObject("""
                select exists (select from pg_stat_activity
                               where datname = current_database() and wait_event_type = 'Lock')
                """, Boolean.class))) {
            Thread.onSpinWait();
        }
    }

    private static void await(java.util.concurrent.CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
