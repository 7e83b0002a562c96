package dev.paysaga.saga.inbox;

import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** One replica of the tallying service as it runs: Spring Boot, PostgreSQL, Kafka. */
final class Replica implements AutoCloseable {

    /** Longer than anything that ends by itself: a rebalance that waits for a consumer may take five minutes. */
    static final Duration PATIENCE = Duration.ofMinutes(6);

    /** Those that have not been closed: what there is to tell when something does not come. */
    private static final Set<Replica> RUNNING = ConcurrentHashMap.newKeySet();

    final ConfigurableApplicationContext context;
    final JdbcTemplate jdbc;
    final Tally tally;
    final ParkedEvents parked;
    final Listening listening;
    private final String name;
    private final ConfluentWire wire;
    private final String bootstrapServers;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        @DependsOnDatabaseInitialization
        Tally tally(JdbcTemplate jdbc) {
            jdbc.execute(Tally.TABLES);
            return new Tally(jdbc);
        }

        @Bean
        Counters counters() {
            return new Counters();
        }
    }

    private Replica(Map<String, Object> properties) {
        var all = new HashMap<String, Object>(Map.of(
                "saga.produces", Counters.COUNTS,
                "saga.consumer.first-back-off", "20ms",
                "saga.consumer.max-back-off", "200ms",
                "spring.main.banner-mode", "off"));
        all.putAll(properties);
        this.context = new SpringApplicationBuilder(Service.class)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run();
        this.jdbc = context.getBean(JdbcTemplate.class);
        this.tally = context.getBean(Tally.class);
        this.parked = context.getBean(ParkedEvents.class);
        this.listening = context.getBean(Listening.class);
        this.wire = context.getBean(ConfluentWire.class);
        this.name = String.valueOf(all.get("spring.application.name"));
        this.bootstrapServers = String.valueOf(all.get("spring.kafka.bootstrap-servers"));
        RUNNING.add(this);
    }

    static Replica start(Map<String, Object> properties) {
        return new Replica(properties);
    }

    /** Topics are shared by all tests of a broker; a service of a test listens to the records after this point. */
    static void emptyTopics(KafkaBroker broker) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.deleteTopics(admin.listTopics().names().get()).all().get();
            await("deleted topics", () -> names(admin).isEmpty());
        }
    }

    private static Set<String> names(Admin admin) {
        try {
            return admin.listTopics().names().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    LaneListener forward() {
        return listening.lanes().stream()
                .filter(lane -> lane.lane() == Lane.FORWARD)
                .findFirst()
                .orElseThrow()
                .listener();
    }

    /** Publishes bumps in order, as another service would. */
    void publish(Bumped... bumps) {
        publish(Counters.BUMPS, List.of(bumps));
    }

    void publish(String topic, List<Bumped> bumps) {
        send(bumps.stream().map(bump -> record(topic, bump)).toList());
    }

    private ProducerRecord<byte[], byte[]> record(String topic, Bumped bump) {
        var record = new ProducerRecord<>(topic, bytes(bump.counter().toString()), wire.encode(topic, bump));
        record.headers().add(CloudEventHeaders.ID, bytes(id(bump).toString()));
        return record;
    }

    void publishGarbage(@Nullable String key, byte @Nullable [] value) {
        send(List.of(new ProducerRecord<>(Counters.BUMPS, key == null ? null : bytes(key), value)));
    }

    /** Either the broker has them all, or the test fails here and not where it waits for one that never was. */
    private void send(List<ProducerRecord<byte[], byte[]>> records) {
        await("listening", listening::isListening);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (var sent : records.stream().map(producer::send).toList()) {
                sent.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("not published", e);
        }
    }

    static UUID id(Bumped bump) {
        return EventIds.named(System.currentTimeMillis(), bump.counter() + "/" + bump.by() + "/" + bump.note());
    }

    List<String> notes(int counter) {
        return jdbc.queryForList(
                "select note from bumps where counter = ? order by seq", String.class, Shop.counter(counter));
    }

    int count(String table) {
        Integer count = jdbc.queryForObject("select count(*) from " + table, Integer.class);
        return count == null ? 0 : count;
    }

    /** How many forward events are done with for good. */
    long committed() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return admin
                    .listConsumerGroupOffsets(name + ".forward")
                    .partitionsToOffsetAndMetadata()
                    .get(1, TimeUnit.MINUTES)
                    .values()
                    .stream()
                    .mapToLong(offset -> offset == null ? 0 : offset.offset())
                    .sum();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what + RUNNING);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(20).toNanos());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** How it stands. */
    @Override
    public String toString() {
        var state = new StringBuilder(
                "\nlistening: " + listening.isListening() + ", waiting for " + listening.waitingFor());
        for (var lane : listening.lanes()) {
            state.append("\n").append(lane.lane()).append(" has ");
            state.append(lane.container().getAssignedPartitions()).append(", trouble ");
            state.append(lane.listener().trouble());
        }
        try {
            state.append("\ncommitted: ").append(committed());
            for (String table : List.of("inbox", "bumps", "parked_events")) {
                state.append(", ").append(table).append(": ").append(count(table));
            }
        } catch (RuntimeException e) {
            state.append("\n").append(e);
        }
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith(name + ".")) {
                state.append("\n").append(thread.getName()).append(": ").append(Arrays.toString(stack));
            }
        });
        return state.toString();
    }

    @Override
    public void close() {
        RUNNING.remove(this);
        context.close();
    }
}
