package dev.paysaga.testkit;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.testcontainers.containers.GenericContainer;

/** A broker in a container of Apache's image. */
final class ContainerBroker implements KafkaBroker.Process {

    private static final String IMAGE = "apache/kafka:4.1.2";

    private final int port = FreePorts.two()[0];
    private final GenericContainer<?> container;

    ContainerBroker() {
        this.container = Containers.of(IMAGE, 9092, port)
                .withEnv(Map.ofEntries(
                        Map.entry("KAFKA_PROCESS_ROLES", "broker,controller"),
                        Map.entry("KAFKA_NODE_ID", "1"),
                        Map.entry("KAFKA_LISTENERS", "PLAINTEXT://:9092,CONTROLLER://:9093"),
                        Map.entry("KAFKA_ADVERTISED_LISTENERS", "PLAINTEXT://127.0.0.1:" + port),
                        Map.entry("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                        Map.entry("KAFKA_INTER_BROKER_LISTENER_NAME", "PLAINTEXT"),
                        Map.entry("KAFKA_CONTROLLER_LISTENER_NAMES", "CONTROLLER"),
                        Map.entry("KAFKA_CONTROLLER_QUORUM_VOTERS", "1@localhost:9093"),
                        Map.entry("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false"),
                        Map.entry("KAFKA_NUM_PARTITIONS", "3"),
                        Map.entry("KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", "1"),
                        Map.entry("KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4"),
                        Map.entry("KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR", "1"),
                        Map.entry("KAFKA_TRANSACTION_STATE_LOG_MIN_ISR", "1"),
                        Map.entry("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR", "1"),
                        Map.entry("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR", "1"),
                        Map.entry("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0"),
                        Map.entry("KAFKA_LOG_CLEANER_DEDUPE_BUFFER_SIZE", "4194304"),
                        // A broker that is starved for some seconds is not to be taken for dead: then it has no
                        // partitions.
                        Map.entry("KAFKA_BROKER_HEARTBEAT_INTERVAL_MS", "500"),
                        Map.entry("KAFKA_BROKER_SESSION_TIMEOUT_MS", "9000"),
                        Map.entry("KAFKA_HEAP_OPTS", "-Xmx256m")))
                .waitingFor(Containers.until(IMAGE, this::answers));
        container.start();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stop() {
        Containers.stop(container);
    }

    @Override
    public void restart() {
        Containers.startAgain(container);
        Containers.await(IMAGE, this::answers);
    }

    @Override
    public void remove() {
        container.stop();
    }

    private boolean answers() {
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "request.timeout.ms",
                10_000,
                "default.api.timeout.ms",
                10_000))) {
            return !admin.describeCluster().nodes().get(10, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
