package dev.paysaga.saga.inbox;

import static dev.paysaga.saga.inbox.Replica.await;
import static dev.paysaga.saga.inbox.Shop.counter;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkedEvents.Outcome;
import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.testkit.TestServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Status;
import org.springframework.dao.CannotAcquireLockException;

@Timeout(1200)
final class ListeningIT {

    private static final KafkaBroker BROKER = KafkaBroker.shared();
    private static final AtomicInteger TESTS = new AtomicInteger();

    private Map<String, Object> properties;

    @BeforeEach
    void newDatabaseAndEmptyTopics() throws Exception {
        Replica.emptyTopics(BROKER);
        properties = new HashMap<>(TestServers.properties("tally"));
        properties.put("saga.partitions", 1);
        // Its groups are its own: no member of an earlier test is waited for, no offset of one is met.
        properties.put("spring.application.name", "tally-" + TESTS.incrementAndGet());
    }

    @Test
    void one_event_always_fails_and_a_thousand_others_in_its_partition_go_on() {
        try (var replica = Replica.start(properties)) {
            var bumps = new ArrayList<Bumped>();
            bumps.add(new Bumped(counter(7), 1, "before"));
            bumps.add(new Bumped(counter(7), Tally.IMPOSSIBLE, "poison"));
            bumps.add(new Bumped(counter(7), 2, "behind"));
            IntStream.range(1_000, 2_000).forEach(i -> bumps.add(new Bumped(counter(i), 1, "other")));
            bumps.add(new Bumped(counter(7), 3, "last"));
            replica.publish(bumps.toArray(Bumped[]::new));
            replica.publishGarbage("garbage", new byte[] {1, 2, 3});
            replica.publishGarbage(null, null);

            await("others", () -> replica.count("bumps where note = 'other'") == 1_000);
            await("all parked", () -> replica.parked.waiting() == 5);
            replica.tally.repaired.add(Tally.IMPOSSIBLE);
            ParkedEvent head = replica.parked.list(ParkedEvent.Status.PARKED, null, 10).stream()
                    .filter(event -> event.key().equals(counter(7).toString()))
                    .findFirst()
                    .orElseThrow();
            assertThat(replica.parked.redrive(head.id()).outcome()).isEqualTo(Outcome.DONE);

            assertThat(replica.notes(7)).containsExactly("before", "poison", "behind", "last");
            await("offsets", () -> replica.committed() == 1_006);
        }
    }

    @Test
    void a_transient_fault_is_waited_out_and_order_is_kept() {
        try (var replica = Replica.start(properties)) {
            var failures = new AtomicInteger();
            replica.tally.surroundings = bumped -> {
                if (bumped.by() == 50 && failures.incrementAndGet() < 12) {
                    throw new CannotAcquireLockException("deadlock");
                }
            };
            replica.publish(IntStream.range(0, 200)
                    .mapToObj(i -> new Bumped(counter(1), i + (i >= Tally.IMPOSSIBLE ? 1 : 0), "n" + i))
                    .toArray(Bumped[]::new));

            await("all", () -> replica.notes(1).size() == 200);

            assertThat(failures).hasValue(12);
            assertThat(replica.notes(1))
                    .isEqualTo(IntStream.range(0, 200).mapToObj(i -> "n" + i).toList());
            assertThat(replica.parked.waiting()).isZero();
            await("the end of its trouble", () -> replica.forward().trouble() == null);
        }
    }

    @Test
    void a_rebalance_in_the_middle_of_a_slow_reaction_gives_one_effect() throws Exception {
        properties.put("spring.kafka.consumer.properties.max.poll.interval.ms", "1500");
        properties.put("spring.kafka.consumer.properties.session.timeout.ms", "6000");
        try (var slow = Replica.start(properties)) {
            var reacting = new CountDownLatch(1);
            var goOn = new CountDownLatch(1);
            slow.tally.surroundings = bumped -> {
                reacting.countDown();
                hold(goOn);
            };
            slow.publish(new Bumped(counter(1), 1, "a"), new Bumped(counter(1), 2, "b"));
            reacting.await();
            try (var second = Replica.start(properties)) {
                await("the second replica has the same records and waits for the first", () -> blocked(second));
                goOn.countDown();
                await("both", () -> second.notes(1).size() == 2);
                second.publish(new Bumped(counter(1), 3, "c"));
                await("the third", () -> second.notes(1).size() == 3);
                await("offsets", () -> second.committed() == 3);
                assertThat(second.notes(1)).containsExactly("a", "b", "c");
                assertThat(second.count("inbox")).isEqualTo(3);
            }
        }
    }

    @Test
    void parking_that_cannot_be_written_stops_the_partition_visibly_and_loses_nothing() {
        try (var replica = Replica.start(properties)) {
            replica.jdbc.execute("alter table parked_events rename to gone");
            replica.publish(
                    new Bumped(counter(7), Tally.IMPOSSIBLE, "poison"),
                    new Bumped(counter(8), 1, "other"),
                    new Bumped(counter(7), 1, "behind"));

            await("trouble", () -> replica.forward().trouble() != null);
            assertThat(replica.committed()).isZero();
            assertThat(replica.notes(8)).isEmpty();

            replica.jdbc.execute("alter table gone rename to parked_events");
            await("the other", () -> replica.notes(8).size() == 1);
            await("the two parked", () -> replica.parked.waiting() == 2);
            await("offsets", () -> replica.committed() == 3);
        }
    }

    @Test
    void an_error_does_not_silence_the_lane() {
        try (var replica = Replica.start(properties)) {
            var errors = new AtomicInteger();
            replica.tally.surroundings = bumped -> {
                if (errors.incrementAndGet() <= 2) {
                    throw new OutOfMemoryError("pretended");
                }
            };
            replica.publish(new Bumped(counter(1), 1, "a"));

            await("the event", () -> replica.notes(1).size() == 1);

            assertThat(errors).hasValue(3);
        }
    }

    @Test
    void a_service_starts_without_kafka_and_listens_when_kafka_comes() {
        try (var broker = KafkaBroker.start()) {
            broker.stop();
            properties.put("spring.kafka.bootstrap-servers", broker.bootstrapServers());
            try (var replica = Replica.start(properties)) {
                await("ready", () -> readiness(replica) == ReadinessState.ACCEPTING_TRAFFIC);
                await(
                        "waiting",
                        () -> String.valueOf(replica.listening.waitingFor()).startsWith("creating topics"));
                assertThat(health(replica).health().getStatus()).isEqualTo(Status.DOWN);

                broker.restart();
                await("listening", replica.listening::isListening);
                replica.publish(new Bumped(counter(1), 1, "a"));
                await("the event", () -> replica.notes(1).size() == 1);
                assertThat(health(replica).health().getStatus()).isEqualTo(Status.UP);
            }
        }
    }

    @Test
    void a_service_without_its_schemas_is_alive_but_takes_no_traffic() throws Exception {
        var registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/", exchange -> {
            byte[] answer = "{\"id\":1}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        properties.put(
                "saga.schema-registry-url",
                "http://127.0.0.1:" + registry.getAddress().getPort());
        // Bound, but answering nobody.
        try (var replica = Replica.start(properties)) {
            assertThat(readiness(replica)).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
            assertThat(replica.context.getBean(ApplicationAvailability.class).getLivenessState())
                    .isEqualTo(LivenessState.CORRECT);
            assertThat(replica.listening.isListening()).isFalse();

            registry.start();
            await("ready", () -> readiness(replica) == ReadinessState.ACCEPTING_TRAFFIC);
            await("listening", replica.listening::isListening);
        } finally {
            registry.stop(0);
        }
    }

    @Test
    void compensations_have_connections_of_their_own() throws Exception {
        properties.put("spring.datasource.hikari.maximum-pool-size", "3");
        try (var replica = Replica.start(properties)) {
            await("listening", replica.listening::isListening);
            var database = replica.context.getBean(DataSource.class);
            List<Connection> hoarded = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                hoarded.add(database.getConnection());
            }
            replica.publish(Counters.UNDOS, List.of(new Bumped(counter(1), 1, "undo")));

            try (Connection outside = databaseOf(properties).getConnection();
                    var look = outside.createStatement()) {
                await("the compensation", () -> {
                    try (var rows = look.executeQuery("select from bumps where note = 'undo'")) {
                        return rows.next();
                    } catch (java.sql.SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
            }
            for (Connection connection : hoarded) {
                connection.close();
            }
        }
    }

    @Test
    void compensations_keep_to_their_limit_and_forward_events_do_not_wait_for_them() {
        properties.put("saga.consumer.compensation-rate", 1);
        try (var replica = Replica.start(properties)) {
            await("listening", replica.listening::isListening);
            replica.publish(
                    Counters.UNDOS,
                    IntStream.range(0, 400)
                            .mapToObj(i -> new Bumped(counter(i), 1, "undo"))
                            .toList());
            await("some", () -> replica.count("bumps where note = 'undo'") > 0);
            replica.publish(new Bumped(counter(1), 1, "forward"));

            await("forward", () -> replica.count("bumps where note = 'forward'") == 1);
            assertThat(replica.count("bumps where note = 'undo'")).isLessThan(400);

            // At this rate they would take longer than anything here is waited for.
            replica.context.getBean(CompensationLimit.class).drain(true);
            await("all", () -> replica.count("bumps where note = 'undo'") == 400);
        }
    }

    @Test
    void a_database_that_is_killed_under_load_costs_time_and_nothing_else() {
        try (var server = PostgresServer.start()) {
            properties.putAll(TestServers.properties(server.createDatabase("tally"), BROKER));
            properties.put("saga.partitions", 1);
            try (var replica = Replica.start(properties)) {
                var seen = new AtomicInteger();
                replica.tally.surroundings = bumped -> seen.incrementAndGet();
                var killer = new Thread(() -> {
                    await("some", () -> seen.get() > 300);
                    server.kill();
                    server.restart();
                });
                killer.start();
                for (int i = 0; i < 30; i++) {
                    replica.publish(IntStream.range(0, 50)
                            .mapToObj(n -> new Bumped(counter(n), 1, "n"))
                            .map(bump -> new Bumped(bump.counter(), 1, String.valueOf(seen.get())))
                            .toArray(Bumped[]::new));
                }
                await("killed and back", () -> !killer.isAlive());
                await("offsets", () -> replica.committed() == 1_500);
                assertThat(replica.count("bumps")).isEqualTo(replica.count("inbox"));
                assertThat(replica.parked.waiting()).isZero();
            }
        }
    }

    private static DataSource databaseOf(Map<String, Object> properties) {
        var database = new org.postgresql.ds.PGSimpleDataSource();
        database.setUrl(String.valueOf(properties.get("spring.datasource.url")));
        database.setUser(String.valueOf(properties.get("spring.datasource.username")));
        database.setPassword(String.valueOf(properties.get("spring.datasource.password")));
        return database;
    }

    private static ReadinessState readiness(Replica replica) {
        return replica.context.getBean(ApplicationAvailability.class).getReadinessState();
    }

    private static ListeningHealth health(Replica replica) {
        return replica.context.getBean(ListeningHealth.class);
    }

    private static boolean blocked(Replica replica) {
        return replica.count(
                        "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%into inbox%'")
                > 0;
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
