package dev.paysaga.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A broker in this JVM, on free ports. */
final class EmbeddedBroker implements KafkaBroker.Process {

    private final Path directory;
    private final int port;
    private final Properties properties;
    private KafkaRaftServer server;

    EmbeddedBroker() {
        try {
            this.directory = Files.createTempDirectory("paysaga-kafka");
            int[] ports = FreePorts.two();
            this.port = ports[0];
            this.properties = settings(directory, ports[0], ports[1]);
            format();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.server = boot();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stop() {
        server.shutdown();
        server.awaitShutdown();
    }

    @Override
    public void restart() {
        server = boot();
    }

    @Override
    public void remove() {
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
                // A broker that is starved for some seconds is not to be taken for dead: then it has no partitions.
                "broker.heartbeat.interval.ms", "500",
                "broker.session.timeout.ms", "9000"));
        return settings;
    }
}
