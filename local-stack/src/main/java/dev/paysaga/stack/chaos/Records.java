package dev.paysaga.stack.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What can be done to records: published once more, and consumed once more. */
final class Records {

    /** Records of each partition that come once more: enough to reach back beyond what is on its way. */
    private static final int BACK = 150;

    private static final int SECONDS = 15;

    private final String bootstrapServers;

    Records(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Publishes the younger records of a topic again, byte for byte, headers included, into their partitions.
     *
     * @return how many
     */
    int publishAgain(String topic) {
        Map<String, Object> reading = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                SECONDS * 1_000);
        Map<String, Object> writing = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                SECONDS * 1_000);
        int published = 0;
        try (var consumer = new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                var producer = new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            ends.forEach((partition, end) -> consumer.seek(partition, Math.max(0, end - BACK)));
            long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (System.nanoTime() < giveUp
                    && partitions.stream()
                            .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.offset() < ends.getOrDefault(partition(record), 0L)) {
                        producer.send(new ProducerRecord<>(
                                topic, record.partition(), record.key(), record.value(), record.headers()));
                        published++;
                    }
                }
            }
            producer.flush();
        }
        return published;
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    /** Sets a service's consumers back in every partition, by chance further in some; none of them may be running. */
    void rewind(String service, Random random) throws ExecutionException, InterruptedException, TimeoutException {
        try (Admin admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                SECONDS * 1_000 / 3,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                SECONDS * 1_000))) {
            for (String lane : List.of("forward", "compensation")) {
                String group = service + "." + lane;
                Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get(SECONDS, TimeUnit.SECONDS);
                var earliest = new HashMap<TopicPartition, OffsetSpec>();
                committed.keySet().forEach(partition -> earliest.put(partition, OffsetSpec.earliest()));
                var first = admin.listOffsets(earliest).all().get(SECONDS, TimeUnit.SECONDS);
                var back = new HashMap<TopicPartition, OffsetAndMetadata>();
                committed.forEach((partition, offset) -> back.put(
                        partition,
                        new OffsetAndMetadata(Math.max(
                                Objects.requireNonNull(first.get(partition)).offset(),
                                offset.offset() - random.nextInt(2 * BACK)))));
                if (!back.isEmpty()) {
                    admin.alterConsumerGroupOffsets(group, back).all().get(SECONDS, TimeUnit.SECONDS);
                }
            }
        }
    }
}
