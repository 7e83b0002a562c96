package dev.paysaga.stack.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** One PostgreSQL instance: the database of one service, the role that owns it, and the role that relays its outbox. */
final class PostgresMember implements Member {

    private final Layout layout;
    private final Ports ports;
    private final Secrets secrets;
    private final PostgresBinaries binaries;
    private final String service;

    PostgresMember(Layout layout, Ports ports, Secrets secrets, PostgresBinaries binaries, String service) {
        this.layout = layout;
        this.ports = ports;
        this.secrets = secrets;
        this.binaries = binaries;
        this.service = service;
    }

    @Override
    public String name() {
        return service + "-db";
    }

    @Override
    public List<Ports.Port> ports() {
        return List.of(ports.of(name()));
    }

    @Override
    public List<String> needs() {
        return List.of();
    }

    /** SIGINT is PostgreSQL's fast shutdown: clients are disconnected, nothing is waited for. */
    @Override
    public String stopSignal() {
        return "INT";
    }

    @Override
    public Command prepare() {
        Path data = layout.data(name());
        binaries.initialise(data);
        clearAfterCrash(data);
        List<String> words = binaries.server(data, ports.of(name()).number());
        return new Command(words, PostgresBinaries.environment(), layout.state());
    }

    /**
     * Children of a killed server may still hold its shared memory, and its pid file may name a number that now belongs to
     * somebody else: both would keep it from starting. We know that our own server is dead, so both may go.
     */
    private static void clearAfterCrash(Path data) {
        List<Long> orphans = OperatingSystem.workingIn(data);
        if (!orphans.isEmpty()) {
            OperatingSystem.signal("KILL", orphans);
            Await.until(
                    "what the killed server left in " + data + " is gone",
                    60,
                    () -> OperatingSystem.workingIn(data).isEmpty());
        }
        try {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
        } catch (IOException e) {
            throw new StackFailure("Cannot delete " + data.resolve("postmaster.pid") + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean ready() {
        try (Connection connection = connect()) {
            return connection.isValid(10);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void complete() {
        String database = Databases.database(service);
        String owner = Databases.owner(service);
        String relay = Databases.relay(service);
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            if (!exists(sql, "select 1 from pg_roles where rolname = '" + owner + "'")) {
                sql.execute("create role " + owner + " login password '" + secrets.password(owner) + "'");
            }
            if (!exists(sql, "select 1 from pg_roles where rolname = '" + relay + "'")) {
                sql.execute("create role " + relay + " login replication password '" + secrets.password(relay) + "'");
            }
            if (!exists(sql, "select 1 from pg_database where datname = '" + database + "'")) {
                sql.execute("create database " + database + " owner " + owner);
                sql.execute("revoke all on database " + database + " from public");
                sql.execute("grant connect on database " + database + " to " + relay);
            }
        } catch (SQLException e) {
            throw new StackFailure(
                    "Cannot make the database of " + service + ": " + e.getMessage() + ". See ./paysaga logs " + name(),
                    e);
        }
    }

    private static boolean exists(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            return rows.next();
        }
    }

    private Connection connect() throws SQLException {
        return new Databases(ports, secrets).connect(service, "postgres", Databases.ADMINISTRATOR);
    }
}
