package dev.paysaga.stack.events;

import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.UndecodableEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads topics as they grow, decoded, without belonging to a consumer group: watching changes nothing. */
public final class Tail implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final ConfluentWire wire;
    private final KafkaConsumer<byte[], byte[]> consumer;

    /**
     * Starts at the present end of the topics.
     *
     * @param fromBeginning start at their beginning instead
     * @throws IllegalArgumentException if a topic does not exist
     */
    public Tail(ConfluentWire wire, String bootstrapServers, Collection<String> topics, boolean fromBeginning) {
        this.wire = wire;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        200,
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        10_000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        Collection<String> present = consumer.listTopics().keySet();
        for (String topic : topics) {
            if (!present.contains(topic)) {
                consumer.close();
                throw new IllegalArgumentException("There is no topic " + topic + "; there are "
                        + present.stream()
                                .filter(name -> !name.startsWith("_"))
                                .sorted()
                                .toList() + ".");
            }
        }
        List<TopicPartition> partitions = topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        if (fromBeginning) {
            consumer.seekToBeginning(partitions);
        } else {
            consumer.seekToEnd(partitions);
        }
        // Positions are looked up lazily; what is published from here on must not be missed.
        partitions.forEach(consumer::position);
    }

    /**
     * A record as it was found.
     *
     * @param id its event id; null when it carries none
     * @param type the event's simple name, or {@code ?} when it cannot be told
     * @param source who announced it, as in {@code ce_source}; empty when it is not said
     * @param time when it was announced, or else when the broker got it
     * @param event null when it cannot be decoded
     * @param problem why it cannot be decoded; null when it can
     */
    public record Seen(
            String topic,
            int partition,
            long offset,
            @Nullable String key,
            @Nullable String id,
            String type,
            String source,
            Instant time,
            @Nullable SpecificRecord event,
            @Nullable String problem) {}

    /** Hands on every record until told to stop. A broker that is away is waited for. */
    public void follow(Consumer<Seen> reader, BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                reader.accept(seen(record));
            }
        }
    }

    private Seen seen(ConsumerRecord<byte[], byte[]> record) {
        SpecificRecord event = null;
        String problem = null;
        try {
            event = wire.decode(record.value());
        } catch (UndecodableEvent e) {
            problem = e.getMessage();
        }
        String type = header(record, CloudEventHeaders.TYPE);
        if (event != null) {
            type = event.getSchema().getName();
        }
        String source = header(record, CloudEventHeaders.SOURCE);
        return new Seen(
                record.topic(),
                record.partition(),
                record.offset(),
                record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8),
                header(record, CloudEventHeaders.ID),
                type == null ? "?" : type,
                source == null ? "" : source,
                time(record),
                event,
                problem);
    }

    private static Instant time(ConsumerRecord<byte[], byte[]> record) {
        String time = header(record, CloudEventHeaders.TIME);
        try {
            return time == null ? Instant.ofEpochMilli(record.timestamp()) : Instant.parse(time);
        } catch (java.time.format.DateTimeParseException e) {
            return Instant.ofEpochMilli(record.timestamp());
        }
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
