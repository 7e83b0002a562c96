package dev.paysaga.order;

import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.TestTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A replica of order-service as a process of its own, which can be killed and stopped as the kernel does it. */
final class OrderProcess implements AutoCloseable {

    private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

    private final Process process;
    private final Path log;
    private final URI address;

    private OrderProcess(PostgresDatabase database, String... properties) throws IOException {
        log = Files.createTempFile("order-process", ".log");
        log.toFile().deleteOnExit();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                OrderApplication.class.getName(),
                "--server.port=0",
                "--management.server.port=-1",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password(),
                "--spring.datasource.hikari.maximum-pool-size=4",
                "--spring.datasource.hikari.minimum-idle=1",
                // A starved machine must look neither like a pool that is used up nor like a client that says nothing.
                "--spring.datasource.hikari.connection-timeout=60000",
                "--server.tomcat.connection-timeout=5m",
                "--spring.security.oauth2.resourceserver.jwt.public-key-location=" + TestTokens.publicKeyLocation(),
                "--saga.relay.username=" + database.relayUsername(),
                // What is asked for here ends with the commit; nobody has to hear of it.
                "--saga.relay.enabled=false",
                "--saga.consumer.enabled=false",
                "--spring.kafka.bootstrap-servers=127.0.0.1:1",
                "--saga.schema-registry-url=mock://" + database.name(),
                "--order.deadlines.poll=1d",
                "--logging.level.root=WARN",
                "--logging.level.org.springframework.boot.tomcat=INFO"));
        command.addAll(List.of(properties));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // A test that is told to end ends its replicas, too.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        try {
            address = URI.create("http://127.0.0.1:" + port());
        } catch (RuntimeException notStarted) {
            kill();
            throw notStarted;
        }
    }

    /** Starts one and waits until it listens. */
    static OrderProcess start(PostgresDatabase database, String... properties) throws IOException {
        return new OrderProcess(database, properties);
    }

    URI address() {
        return address;
    }

    /** SIGKILL: no shutdown hook, no rollback, no last word. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** SIGTERM, as a rolling update. */
    void askToStop() {
        signal("TERM");
    }

    /** Waits for the end. */
    int exitCode() {
        return process.onExit().join().exitValue();
    }

    /** SIGSTOP, as a virtual machine that is moved or a collector that takes minutes. */
    void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("CONT");
    }

    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("process " + process.pid() + " cannot be sent SIG" + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String port() {
        return Awaitility.await("start of order-service; its log: " + log)
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> {
                            if (!process.isAlive()) {
                                throw new IllegalStateException("it ended:\n" + Files.readString(log));
                            }
                            Matcher started = STARTED.matcher(Files.readString(log));
                            return started.find() ? started.group(1) : "";
                        },
                        port -> !port.isEmpty());
    }
}
