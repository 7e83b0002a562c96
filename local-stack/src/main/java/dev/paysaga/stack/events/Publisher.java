package dev.paysaga.stack.events;

import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Publishes events by hand, as another system would. */
public final class Publisher implements AutoCloseable {

    /** Never under /paysaga/, which belongs to the services: the auditor looks for these events in their outboxes. */
    private static final String SOURCE = "/command-line";

    private final EventCatalog catalog;
    private final ConfluentWire wire;
    private final KafkaProducer<String, byte[]> producer;

    public Publisher(EventCatalog catalog, ConfluentWire wire, String bootstrapServers) {
        this.catalog = catalog;
        this.wire = wire;
        this.producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        15_000,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        30_000,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        10_000),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    /**
     * Publishes them in order and waits until the broker has them all.
     *
     * @param key the key of all of them; null for each event's own
     * @throws ExecutionException when the broker does not take one
     */
    public void publish(String topic, List<SpecificRecord> events, @Nullable String key)
            throws ExecutionException, InterruptedException {
        var sent = new ArrayList<Future<RecordMetadata>>();
        for (SpecificRecord event : events) {
            sent.add(producer.send(record(topic, event, key)));
        }
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    private ProducerRecord<String, byte[]> record(String topic, SpecificRecord event, @Nullable String key) {
        EventRoute route = catalog.route(event);
        String recordKey = key == null ? route.aggregateId() : key;
        var record = new ProducerRecord<>(topic, recordKey, wire.encode(topic, event));
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        header(record, CloudEventHeaders.ID, timeOrdered(now.toEpochMilli()).toString());
        header(record, CloudEventHeaders.TYPE, event.getSchema().getFullName());
        header(record, CloudEventHeaders.SOURCE, SOURCE);
        header(record, CloudEventHeaders.TIME, now.toString());
        header(record, CloudEventHeaders.SUBJECT, recordKey);
        header(record, CloudEventHeaders.SPEC_VERSION, CloudEventHeaders.SPEC_VERSION_1_0);
        route.headers().forEach((name, value) -> header(record, name, value));
        return record;
    }

    private static void header(ProducerRecord<String, byte[]> record, String name, String value) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A UUIDv7 (RFC 9562, section 5.7): receivers keep what they have seen ordered by its time. */
    private static UUID timeOrdered(long now) {
        var random = ThreadLocalRandom.current();
        return new UUID(now << 16 | 0x7000L | random.nextLong() & 0x0FFFL, 1L << 63 | random.nextLong() >>> 2);
    }

    @Override
    public void close() {
        producer.close();
    }
}
