package dev.paysaga.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;

/** A server in a container of the official image. */
final class ContainerServer implements PostgresServer.Process {

    private static final String IMAGE = "postgres:17";

    private final int port = FreePorts.two()[0];
    private final GenericContainer<?> container;

    ContainerServer(Map<String, String> settings) {
        var command = new ArrayList<String>();
        command.add("postgres");
        // As the embedded one: a killed process loses nothing without it, only a killed machine does.
        command.add("-cfsync=off");
        settings.forEach((name, value) -> command.add("-c" + name + "=" + value));
        this.container = Containers.of(IMAGE, 5432, port)
                .withEnv("POSTGRES_PASSWORD", "postgres")
                .withCommand(command.toArray(String[]::new))
                .waitingFor(Containers.until(IMAGE, this::answers));
        container.start();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Connection administrator() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?loginTimeout=30", "postgres", "postgres");
    }

    @Override
    public void kill() {
        Containers.kill(container);
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
        try (Connection connection = administrator()) {
            return connection.isValid(10);
        } catch (SQLException e) {
            return false;
        }
    }
}
