package dev.paysaga.system;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.simulation.history.History;
import dev.paysaga.simulation.history.History.Published;
import dev.paysaga.simulation.history.History.Transition;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.UndecodableEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads from the topics and the databases of a running system, where nothing is on its way, what its services did. */
final class RecordedHistory {

    private static final String SOURCE = "/paysaga/";

    /** The services that log transitions, and the aggregate in the names of the table and its columns. */
    private static final Map<String, String> AGGREGATES =
            Map.of("order", "order", "inventory", "reservation", "account", "payment");

    private final ConfluentWire wire;
    private final Map<UUID, Published> published = new LinkedHashMap<>();
    private final List<Transition> transitions = new ArrayList<>();
    private final Map<String, Set<UUID>> setAside = new HashMap<>();

    private RecordedHistory(PaymentSystem system) {
        wire = ConfluentWire.of(system.registryUrl());
    }

    static History of(PaymentSystem system) {
        var recorded = new RecordedHistory(system);
        recorded.readTopics(system.bootstrapServers());
        try {
            for (String service : AGGREGATES.keySet()) {
                try (Connection database = system.databases().connect(service)) {
                    recorded.readTransitions(service, database);
                    recorded.readSetAside(service, database);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("a database cannot be read", e);
        }
        return new History(List.copyOf(recorded.published.values()), recorded.transitions, recorded.setAside);
    }

    private void readTopics(String bootstrapServers) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5000,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = PaymentSaga.topics().stream()
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(this::read);
            }
        }
    }

    /** What others published is left out, garbage included; so is what is about no order. */
    private void read(ConsumerRecord<byte[], byte[]> record) {
        String source = header(record, CloudEventHeaders.SOURCE);
        if (!source.startsWith(SOURCE)) {
            return;
        }
        SpecificRecord event;
        try {
            event = wire.decode(record.value());
        } catch (UndecodableEvent e) {
            return;
        }
        Schema.Field order = event.getSchema().getField("orderId");
        if (order != null && event.get(order.pos()) instanceof UUID orderId) {
            UUID id = UUID.fromString(header(record, CloudEventHeaders.ID));
            String cause = header(record, CloudEventHeaders.CAUSATION_ID);
            published.putIfAbsent(
                    id,
                    new Published(
                            id,
                            cause.isEmpty() ? id : UUID.fromString(cause),
                            source.substring(SOURCE.length()),
                            record.topic(),
                            orderId,
                            event));
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private void readTransitions(String service, Connection database) throws SQLException {
        String sql = "select %1$s_id, event_id, from_state, to_state, version from %1$s_events"
                .formatted(AGGREGATES.get(service));
        try (var statement = database.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                transitions.add(new Transition(
                        service,
                        rows.getObject(1, UUID.class),
                        rows.getObject(2, UUID.class),
                        rows.getInt(3),
                        rows.getInt(4),
                        rows.getInt(5)));
            }
        }
    }

    private void readSetAside(String service, Connection database) throws SQLException {
        try (var statement = database.createStatement();
                var rows = statement.executeQuery(
                        "select event_id from parked_events where status <> 'REDRIVEN' and event_id is not null")) {
            while (rows.next()) {
                setAside.computeIfAbsent(service, name -> new HashSet<>()).add(rows.getObject(1, UUID.class));
            }
        }
    }
}
