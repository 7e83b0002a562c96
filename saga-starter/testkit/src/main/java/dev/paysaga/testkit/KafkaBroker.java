package dev.paysaga.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;

/**
 * One Kafka broker (KRaft) in this JVM, on free ports, keeping its data over {@link #stop()} and {@link #restart()}.
 * {@link #shared()} serves everything that only needs topics.
 */
public final class KafkaBroker implements AutoCloseable {

    private final Path directory;
    private final int port;
    private final Properties properties;
    private KafkaRaftServer server;

    private KafkaBroker() {
        try {
            this.directory = Files.createTempDirectory("paysaga-kafka");
            int[] ports = freePorts();
            this.port = ports[0];
            this.properties = settings(directory, ports[0], ports[1]);
            format();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.server = boot();
    }

    /** The broker of this JVM, started at the first call, stopped with the JVM. */
    public static KafkaBroker shared() {
        return Shared.BROKER;
    }

    /** A broker of one's own. */
    public static KafkaBroker start() {
        return new KafkaBroker();
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
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

    /** Stops the broker; its port and its data stay. */
    public void stop() {
        server.shutdown();
        server.awaitShutdown();
    }

    /** Starts it again after {@link #stop()}. */
    public void restart() {
        server = boot();
    }

    @Override
    public void close() {
        stop();
    }

    private KafkaRaftServer boot() {
        var booted = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
        booted.startup();
        return booted;
    }

    private void format() throws IOException {
        Path file = directory.resolve("server.properties");
        try (var out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        String[] arguments = {
            "format", "-c", file.toString(), "-t", Uuid.randomUuid().toString(), "--ignore-formatted"
        };
        StorageTool.execute(arguments, new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    private static Properties settings(Path directory, int port, int controllerPort) {
        var settings = new Properties();
        settings.putAll(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "controller.listener.names", "CONTROLLER",
                "controller.quorum.voters", "1@127.0.0.1:" + controllerPort,
                "log.dirs", directory.resolve("data").toString(),
                "auto.create.topics.enable", "false",
                "num.partitions", "3"));
        settings.putAll(Map.of(
                "offsets.topic.replication.factor", "1",
                "offsets.topic.num.partitions", "4",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "share.coordinator.state.topic.replication.factor", "1",
                "share.coordinator.state.topic.min.isr", "1",
                "group.initial.rebalance.delay.ms", "0",
                // The least the cleaner accepts, instead of 128 MB.
                "log.cleaner.dedupe.buffer.size", "4194304",
                // After a crash nobody waits long for the broker's old session.
                "broker.session.timeout.ms", "3000"));
        return settings;
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

    private static int[] freePorts() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (var first = new ServerSocket(0, 1, loopback);
                var second = new ServerSocket(0, 1, loopback)) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        }
    }

    private static final class Shared {

        static final KafkaBroker BROKER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(BROKER::close, "paysaga-kafka-shutdown"));
        }
    }
}
