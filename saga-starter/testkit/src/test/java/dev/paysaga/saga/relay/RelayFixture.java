package dev.paysaga.saga.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An outbox, a topic, and relays between them. */
final class RelayFixture implements AutoCloseable {

    final PostgresServer server;
    final KafkaBroker broker;
    final PostgresDatabase database;
    final JdbcClient jdbc;
    private final HikariDataSource pool;
    final String topic = "outbox-" + UUID.randomUUID();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<OutboxRelay> relays = new ArrayList<>();

    RelayFixture() {
        this(PostgresServer.shared(), KafkaBroker.shared());
    }

    RelayFixture(PostgresServer server, KafkaBroker broker) {
        this.server = server;
        this.broker = broker;
        this.database = server.createDatabase("relay");
        this.pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        this.jdbc = JdbcClient.create(pool);
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/saga")
                .placeholders(Map.of("relay_role", database.relayUsername()))
                .load()
                .migrate();
        broker.createTopics(List.of(topic), 3);
    }

    static ConditionFactory within(Duration patience) {
        return Awaitility.await().atMost(patience).pollInterval(Duration.ofMillis(50));
    }

    /** Usually seconds; a starved machine may take its time. */
    static ConditionFactory soon() {
        return within(Duration.ofMinutes(2));
    }

    OutboxRelay newRelay() {
        var properties = new RelayProperties(
                true,
                database.relayUsername(),
                database.relayPassword(),
                database.name(),
                Duration.ofMillis(10),
                1,
                Duration.ofMillis(500),
                Duration.ofSeconds(10));
        var relayDatabase = new RelayDatabase(database.url(), database.relayUsername(), database.relayPassword());
        var relay = new OutboxRelay(
                relayDatabase,
                new RelayDatabase(database.url(), database.username(), database.password()),
                properties,
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new CloudEvents("test"),
                new RelayMetrics(meters));
        relays.add(relay);
        return relay;
    }

    OutboxRelay startRelay() {
        OutboxRelay relay = newRelay();
        relay.start();
        return relay;
    }

    OutboxRelay startLeader() {
        OutboxRelay relay = startRelay();
        soon().until(() -> relay.state() == RelayState.LEADER);
        return relay;
    }

    /** Commits this many rows in one transaction, for one key, numbered on from the last. */
    void append(String key, int rows) {
        jdbc.sql("""
                        insert into outbox (id, aggregate_type, aggregate_id, event_type, topic, payload, headers)
                        select gen_random_uuid(), 'thing', :key, 'ThingHappened', :topic,
                               convert_to(:key || '#' || n, 'utf8'), '{"paysaga_causation_id":"c","quoted":"a \\"b\\""}'
                        from generate_series(1, :rows) n
                        """)
                .param("key", key)
                .param("topic", topic)
                .param("rows", rows)
                .update();
    }

    List<String> outboxIds() {
        return jdbc.sql("select id::text from outbox").query(String.class).list();
    }

    /** Ids in the outbox's order, by key: what receivers must see of each key once repeats are dropped. */
    List<String> outboxIdsOf(String key) {
        return jdbc.sql("select id::text from outbox where aggregate_id = ? order by seq")
                .param(key)
                .query(String.class)
                .list();
    }

    List<ConsumerRecord<String, byte[]>> records() {
        return broker.read(List.of(topic));
    }

    List<String> topicIds() {
        return records().stream().map(RelayFixture::id).toList();
    }

    /** First appearances of a key's ids in the topic. */
    List<String> topicIdsOf(String key) {
        return records().stream()
                .filter(record -> key.equals(record.key()))
                .map(RelayFixture::id)
                .distinct()
                .toList();
    }

    static String id(ConsumerRecord<?, ?> record) {
        return header(record, "ce_id");
    }

    static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    /** Nothing in the outbox may be unrelayed. */
    boolean isQuiet() {
        return jdbc.sql("select not exists (select from outbox where tx >= (select watermark from relay_state))")
                .query(Boolean.class)
                .single();
    }

    void awaitQuiet() {
        soon().until(this::isQuiet);
    }

    /** Whether a commit of rows for this table is in the log and not yet in sight, as a synchronous standby has not answered. */
    boolean commitIsHeldBack(String table) {
        return jdbc.sql("select exists (select from pg_stat_activity where wait_event = 'SyncRep' and query like ?)")
                .param("%insert into " + table + "%")
                .query(Boolean.class)
                .single();
    }

    boolean slot(String condition) {
        return jdbc.sql("select exists (select from pg_replication_slots where slot_name = ? and " + condition + ")")
                .param(database.name())
                .query(Boolean.class)
                .single();
    }

    /** Drops the slot, whoever reads it: a stopped relay's session may be there for a moment longer. */
    void dropSlot() {
        server.administer("""
                do $$ begin loop
                    begin
                        perform pg_terminate_backend(active_pid, 5000) from pg_replication_slots
                            where slot_name = '%1$s' and active_pid is not null;
                        perform pg_drop_replication_slot('%1$s');
                        exit;
                    exception
                        when object_in_use then null; -- the next reader was faster
                        when undefined_object then exit;
                    end;
                end loop; end $$
                """.formatted(database.name()));
    }

    /** Ends every connection of the relay's role, as the end of its process would. */
    void killRelayConnections() {
        server.administer("select pg_terminate_backend(pid) from pg_stat_activity where usename = '"
                + database.relayUsername() + "'");
    }

    @Override
    public void close() {
        relays.forEach(OutboxRelay::stop);
        dropSlot();
        pool.close();
    }
}
