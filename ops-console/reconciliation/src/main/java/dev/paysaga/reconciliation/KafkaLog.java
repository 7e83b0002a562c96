package dev.paysaga.reconciliation;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topics themselves, read from their beginning each time. */
public final class KafkaLog implements EventLog {

    private static final int SECONDS = 15;

    private final Map<String, Object> settings;
    private final Collection<String> topics;

    public KafkaLog(String bootstrapServers, Collection<String> topics) {
        this(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers), topics);
    }

    /** @param settings of a Kafka client */
    public KafkaLog(Map<String, Object> settings, Collection<String> topics) {
        this.settings = Map.copyOf(settings);
        this.topics = List.copyOf(topics);
    }

    /** @throws KafkaException if the broker does not answer */
    @Override
    public Progress progress() {
        return progress(settings, topics, Listeners.GROUPS);
    }

    /**
     * Asks the broker.
     *
     * @throws KafkaException if it does not answer
     */
    public static Progress progress(
            Map<String, Object> settings, Collection<String> topics, Collection<String> groups) {
        try (Admin admin = Admin.create(settings)) {
            var done = new HashMap<String, Map<TopicPartition, Long>>();
            var wanted = new HashMap<String, ListConsumerGroupOffsetsSpec>();
            groups.forEach(group -> wanted.put(group, new ListConsumerGroupOffsetsSpec()));
            admin.listConsumerGroupOffsets(wanted)
                    .all()
                    .get(SECONDS, TimeUnit.SECONDS)
                    .forEach((group, offsets) -> done.put(group, numbers(offsets)));
            var present = admin.listTopics().names().get(SECONDS, TimeUnit.SECONDS);
            var ends = new HashMap<TopicPartition, OffsetSpec>();
            admin.describeTopics(topics.stream().filter(present::contains).toList())
                    .allTopicNames()
                    .get(SECONDS, TimeUnit.SECONDS)
                    .values()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> ends.put(
                                    new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
            var last = new HashMap<TopicPartition, Long>();
            admin.listOffsets(ends)
                    .all()
                    .get(SECONDS, TimeUnit.SECONDS)
                    .forEach((partition, offset) -> last.put(partition, offset.offset()));
            return new Progress(last, done);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("Kafka does not say how far it is: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    private static Map<TopicPartition, Long> numbers(Map<TopicPartition, OffsetAndMetadata> offsets) {
        var numbers = new HashMap<TopicPartition, Long>();
        offsets.forEach((partition, offset) -> {
            if (offset != null) {
                numbers.put(partition, offset.offset());
            }
        });
        return numbers;
    }

    /** @throws KafkaException if the broker does not answer */
    @Override
    public Collection<Published> read(Window window) {
        var events = new LinkedHashMap<UUID, Published>();
        each(event -> {
            if (window.contains(event.id())) {
                events.putIfAbsent(event.id(), event);
            }
        });
        return events.values();
    }

    private void each(Consumer<Published> action) {
        var all = new HashMap<>(settings);
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5000);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        try (var consumer = new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var present = consumer.listTopics();
            var partitions = topics.stream()
                    .flatMap(topic -> present.getOrDefault(topic, List.of()).stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    Published event = Published.of(record);
                    if (event != null) {
                        action.accept(event);
                    }
                });
            }
        }
    }
}
