package dev.paysaga.stack.processes;

import dev.paysaga.events.PaymentSaga;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;

/** The Kafka broker, and the topics of the saga in it. */
final class KafkaMember implements Member {

    /** CONTRACT: twelve partitions a topic, so that a service may have up to twelve consumers in each lane. */
    private static final int PARTITIONS = 12;

    private final Layout layout;
    private final Ports ports;
    private final Wiring wiring;

    KafkaMember(Layout layout, Ports ports, Wiring wiring) {
        this.layout = layout;
        this.ports = ports;
        this.wiring = wiring;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public List<Ports.Port> ports() {
        return List.of(ports.of(name()), ports.controller());
    }

    @Override
    public List<String> needs() {
        return List.of();
    }

    static String bootstrap(Ports ports) {
        return "127.0.0.1:" + ports.of("kafka").number();
    }

    @Override
    public Command prepare() {
        Path settings = layout.data("kafka.properties");
        Layout.createParentOf(settings);
        try {
            Files.writeString(settings, settings());
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + settings + ": " + e.getMessage(), e);
        }
        var words = new ArrayList<>(JavaCommand.jvm(layout, name(), 288));
        // C1 alone: on two cores, what C2 takes for itself is missed by everybody else for longer than it pays.
        words.add("-XX:TieredStopAtLevel=1");
        words.add("-Djava.util.logging.config.file=" + logging());
        words.add("-cp");
        words.add(layout.commandLine().toString());
        words.add("dev.paysaga.stack.broker.BrokerMain");
        words.add(settings.toString());
        return new Command(words, Map.of(), layout.state());
    }

    private String settings() {
        return """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d%5$s
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d%6$s
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT%7$s
                controller.quorum.voters=1@127.0.0.1:%2$d
                log.dirs=%3$s
                # A topic that nobody has made is a mistake, not a wish.
                auto.create.topics.enable=false
                num.partitions=%4$d
                default.replication.factor=1
                min.insync.replicas=1
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=8
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=4
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                share.coordinator.state.topic.num.partitions=4
                group.initial.rebalance.delay.ms=0
                broker.session.timeout.ms=3000
                broker.heartbeat.interval.ms=500
                num.recovery.threads.per.data.dir=4
                num.network.threads=2
                num.io.threads=4
                background.threads=2
                log.cleaner.dedupe.buffer.size=4194304
                log.index.size.max.bytes=1048576
                # Every acknowledged record survives SIGKILL in the page cache; a local stack does not insure against power cuts.
                log.retention.hours=168
                log.segment.bytes=67108864
                """.formatted(
                        ports.of(name()).number(),
                        ports.controller().number(),
                        layout.data(name()).toString().replace("\\", "\\\\"),
                        PARTITIONS,
                        further(listener -> listener.name() + "://127.0.0.1:" + listener.port()),
                        further(listener -> listener.name() + "://127.0.0.1:" + listener.advertised()),
                        further(listener -> listener.name() + ":PLAINTEXT"));
    }

    private String further(Function<Wiring.Listener, String> entry) {
        return wiring.listeners().stream()
                .map(listener -> "," + entry.apply(listener))
                .collect(Collectors.joining());
    }

    private Path logging() {
        Path file = layout.data("logging.properties");
        try {
            Files.writeString(file, """
                    handlers=java.util.logging.ConsoleHandler
                    .level=WARNING
                    kafka.server.level=INFO
                    java.util.logging.ConsoleHandler.level=INFO
                    java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter
                    java.util.logging.SimpleFormatter.format=%1$tFT%1$tT.%1$tLZ %4$s %3$s %5$s%6$s%n
                    """);
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + file + ": " + e.getMessage(), e);
        }
        return file;
    }

    @Override
    public boolean ready() {
        if (!Probe.listens(ports.of(name()).number())) {
            return false;
        }
        try (Admin admin = admin()) {
            return !admin.describeCluster().nodes().get(10, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Makes the topics that are missing, before anybody listens: a consumer notices a new topic only after minutes. */
    @Override
    public void complete() {
        try (Admin admin = admin()) {
            Set<String> present = admin.listTopics().names().get(60, TimeUnit.SECONDS);
            List<NewTopic> missing = PaymentSaga.topics().stream()
                    .filter(topic -> !present.contains(topic))
                    .map(topic -> new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty()))
                    .toList();
            admin.createTopics(missing).all().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StackFailure("Cannot make the topics: " + e.getMessage() + ". See ./paysaga logs kafka", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackFailure("Interrupted.", e);
        }
    }

    private Admin admin() {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap(ports),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                60_000,
                AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200));
    }
}
