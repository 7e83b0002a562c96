package dev.paysaga.saga.inbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.saga.parking.ParkingAnnouncer;
import dev.paysaga.saga.parking.ParkingLot;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One replica's reactor on a real database, fed by hand. */
final class Shop implements AutoCloseable {

    static final String CONSUMER = "tally";

    final CountedStatements database;
    final JdbcTemplate jdbc;
    final Tally tally;
    final Reactor<Tally.World> reactor;
    final ParkedEvents parked;
    final WorkOrders workOrders;
    final TransactionTemplate transaction;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private final HikariDataSource pool;
    private final ConfluentWire wire;
    private final Map<String, Long> ends = new HashMap<>();

    private Shop(PostgresDatabase database, ConfluentWire wire, ParkingAnnouncer announcer) {
        this.pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.username());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(4);
        this.wire = wire;
        this.database = new CountedStatements(pool);
        this.jdbc = new JdbcTemplate(this.database);
        this.tally = new Tally(jdbc);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.database));
        this.workOrders = new WorkOrders(jdbc);
        var catalog = new Counters();
        var outbox = new Outbox(CONSUMER, jdbc, catalog, wire, () -> null);
        var lot = new ParkingLot(CONSUMER, jdbc, workOrders, outbox, announcer);
        this.reactor = new Reactor<>(
                CONSUMER, tally, new RecordReader(CONSUMER, wire, catalog), jdbc, transaction, lot, outbox, meters);
        this.parked = new ParkedEvents(CONSUMER, jdbc, transaction, reactor, lot, workOrders);
    }

    /** A shop with a database of its own. */
    static Shop open() {
        return open((parked, order) -> List.of());
    }

    static Shop open(ParkingAnnouncer announcer) {
        PostgresDatabase database = PostgresServer.shared().createDatabase("tally");
        Flyway.configure()
                .dataSource(database.dataSource())
                .locations("classpath:db/saga")
                .placeholders(Map.of("relay_role", database.relayUsername()))
                .load()
                .migrate();
        var shop = new Shop(database, ConfluentWire.of("mock://" + UUID.randomUUID()), announcer);
        shop.jdbc.execute(Tally.TABLES);
        shop.second = () -> new Shop(database, shop.wire, announcer);
        return shop;
    }

    private java.util.function.Supplier<Shop> second = () -> {
        throw new IllegalStateException("a replica of a replica");
    };

    /** Another replica of the same service: its own connections and its own memory. */
    Shop replica() {
        return second.get();
    }

    static UUID counter(int n) {
        return new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0000L | n);
    }

    static UUID eventId(String name) {
        return EventIds.named(1_700_000_000_000L, name);
    }

    /** The next record of a topic's only partition, with an event id made of its words. */
    ConsumerRecord<byte[], byte[]> bump(int counter, long by, String note) {
        return bump(Counters.BUMPS, counter, by, note);
    }

    ConsumerRecord<byte[], byte[]> bump(String topic, int counter, long by, String note) {
        return record(
                topic,
                counter(counter).toString(),
                eventId(counter + "/" + by + "/" + note).toString(),
                wire.encode(topic, new Bumped(counter(counter), by, note)));
    }

    ConsumerRecord<byte[], byte[]> record(
            String topic, @Nullable String key, @Nullable String eventId, byte @Nullable [] value) {
        long offset = ends.merge(topic, 1L, Long::sum) - 1;
        var record = new ConsumerRecord<byte[], byte[]>(
                topic, 0, offset, key == null ? null : key.getBytes(StandardCharsets.UTF_8), value);
        if (eventId != null) {
            record.headers().add(CloudEventHeaders.ID, eventId.getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    /** The notes of the bumps that took effect on a counter, in order. */
    List<String> notes(int counter) {
        return jdbc.queryForList(
                "select note from bumps where counter = ? order by seq", String.class, counter(counter));
    }

    long total(int counter) {
        return jdbc.queryForList("select total from counters where id = ?", Long.class, counter(counter)).stream()
                .findFirst()
                .orElse(0L);
    }

    int count(String table) {
        Integer count = jdbc.queryForObject("select count(*) from " + table, Integer.class);
        return count == null ? 0 : count;
    }

    double outcome(String outcome) {
        return meters.get("paysaga.inbox.events")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Override
    public void close() {
        pool.close();
    }
}
