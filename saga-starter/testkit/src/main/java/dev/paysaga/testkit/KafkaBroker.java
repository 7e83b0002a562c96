package dev.paysaga.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * One Kafka broker (KRaft) on a free port, keeping its data over {@link #stop()} and {@link #restart()}.
 * {@link #shared()} serves everything that only needs topics.
 */
public final class KafkaBroker implements AutoCloseable {

    /** The broker itself, wherever it runs. */
    interface Process {

        /** The same after {@link #restart()}. */
        int port();

        void stop();

        void restart();

        /** Ends it for good. */
        void remove();
    }

    private final Process process;

    private KafkaBroker(Process process) {
        this.process = process;
    }

    /** The broker of this JVM, started at the first call, stopped with the JVM. */
    public static KafkaBroker shared() {
        return Shared.BROKER;
    }

    /** A broker of one's own. */
    public static KafkaBroker start() {
        return new KafkaBroker(
                switch (BackEnd.chosen()) {
                    case EMBEDDED -> new EmbeddedBroker();
                    case CONTAINERS -> new ContainerBroker();
                });
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + process.port();
    }

    /** Creates topics that do not exist yet. */
    public void createTopics(Collection<String> topics, int partitions) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            for (String topic : topics) {
                create(admin, new NewTopic(topic, partitions, (short) 1));
            }
        }
    }

    /** Everything in these topics up to their present end, each partition in its order. */
    public List<ConsumerRecord<String, byte[]>> read(Collection<String> topics) {
        var records = new ArrayList<ConsumerRecord<String, byte[]>>();
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers(), "max.poll.records", 5000),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            var partitions = new ArrayList<TopicPartition>();
            for (String topic : topics) {
                consumer.partitionsFor(topic)
                        .forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    /** Whether one of these consumer groups has finished what is in these topics, each group some of them. */
    public boolean isHeard(Collection<String> groups, Collection<String> topics) {
        var heard = new HashMap<TopicPartition, Long>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            for (String group : groups) {
                admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .forEach((partition, next) -> heard.merge(partition, next.offset(), Math::max));
            }
            var ends = new HashMap<TopicPartition, OffsetSpec>();
            admin.describeTopics(topics)
                    .allTopicNames()
                    .get()
                    .values()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> ends.put(
                                    new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
            return admin.listOffsets(ends).all().get().entrySet().stream()
                    .allMatch(end -> heard.getOrDefault(end.getKey(), 0L)
                            >= end.getValue().offset());
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker does not say what was heard", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking what was heard", e);
        }
    }

    /** Stops the broker; its port and its data stay. */
    public void stop() {
        process.stop();
    }

    /** Starts it again after {@link #stop()}. */
    public void restart() {
        process.restart();
    }

    @Override
    public void close() {
        process.remove();
    }

    private static void create(Admin admin, NewTopic topic) {
        try {
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("topic " + topic.name() + " could not be created", e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating topic " + topic.name(), e);
        }
    }

    private static final class Shared {

        static final KafkaBroker BROKER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(BROKER::close, "paysaga-kafka-shutdown"));
        }
    }
}
