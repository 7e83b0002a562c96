package dev.paysaga.stack.bench;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Watches all topics of the saga and remembers when each event, and the outcome of each order, was seen in Kafka. */
final class Arrivals implements AutoCloseable {

    private static final List<String> TOPICS = List.of(
            "order.events",
            "order.compensations",
            "inventory.events",
            "inventory.compensations",
            "account.events",
            "account.compensations");

    /** When an event's id was first seen, in nanoseconds since the epoch. */
    final Map<UUID, Long> seenAt = new ConcurrentHashMap<>();

    /** When an order's OrderPaid was seen, in nanoseconds since the epoch, by order id. */
    final Map<String, Long> paidAt = new ConcurrentHashMap<>();

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private volatile boolean closed;

    Arrivals(String bootstrapServers) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        5000,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        var partitions = TOPICS.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().name("arrivals").daemon().start(this::watch);
    }

    private void watch() {
        while (!closed) {
            var records = consumer.poll(Duration.ofMillis(100));
            long now = Load.now();
            records.forEach(record -> note(record, now));
        }
        consumer.close();
    }

    private void note(ConsumerRecord<byte[], byte[]> record, long now) {
        Header id = record.headers().lastHeader("ce_id");
        Header type = record.headers().lastHeader("ce_type");
        if (id == null || type == null || record.key() == null) {
            return;
        }
        seenAt.putIfAbsent(UUID.fromString(text(id.value())), now);
        if (text(type.value()).equals("OrderPaid")) {
            paidAt.putIfAbsent(text(record.key()), now);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
