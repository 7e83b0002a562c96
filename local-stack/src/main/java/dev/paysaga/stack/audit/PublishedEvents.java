package dev.paysaga.stack.audit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads topics from their beginning to their present end. */
public final class PublishedEvents {

    private static final String SOURCE = "/paysaga/";

    private PublishedEvents() {}

    /**
     * The distinct ids of the events that the services published, by topic. What others published there, garbage included,
     * has another {@code ce_source} or none and is left out.
     */
    public static Map<String, Set<UUID>> ids(String bootstrapServers, Collection<String> topics) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5000,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
        var ids = new HashMap<String, Set<UUID>>();
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
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
                    UUID id = id(record);
                    if (id != null) {
                        ids.computeIfAbsent(record.topic(), topic -> new HashSet<>())
                                .add(id);
                    }
                });
            }
        }
        return ids;
    }

    private static @Nullable UUID id(ConsumerRecord<byte[], byte[]> record) {
        Header source = record.headers().lastHeader("ce_source");
        Header id = record.headers().lastHeader("ce_id");
        if (source == null || id == null || !text(source).startsWith(SOURCE)) {
            return null;
        }
        try {
            return UUID.fromString(text(id));
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    private static String text(Header header) {
        return new String(header.value(), StandardCharsets.UTF_8);
    }
}
