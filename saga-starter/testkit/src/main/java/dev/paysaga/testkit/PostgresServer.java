package dev.paysaga.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server, ready for logical replication. {@link #shared()} serves everything that only
 * needs a database; a test that kills or restarts starts its own.
 *
 * <p>Without fsync unless asked for: a killed process loses nothing by that, only a killed machine does.
 */
public final class PostgresServer implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final int ADMINISTRATION_SECONDS = 120;

    /** The server itself, wherever it runs. */
    interface Process {

        /** The port of 127.0.0.1 it listens on, the same after {@link #restart()}. */
        int port();

        /** A connection of the superuser. */
        Connection administrator() throws SQLException;

        /** SIGKILL. */
        void kill();

        void restart();

        /** Ends it for good, with its data. */
        void remove();
    }

    private final Process process;

    private PostgresServer(Map<String, String> settings) {
        var all = new LinkedHashMap<>(Map.of(
                "wal_level", "logical",
                "max_connections", "200",
                "max_wal_senders", "40",
                "max_replication_slots", "100",
                "shared_buffers", "64MB",
                "max_wal_size", "512MB",
                // The launcher switches it off, and then a killed server forgets its last commits.
                "synchronous_commit", "on"));
        all.putAll(settings);
        this.process = switch (BackEnd.chosen()) {
            case EMBEDDED -> new EmbeddedServer(all);
            case CONTAINERS -> new ContainerServer(all);
        };
    }

    /** The server of this JVM, started at the first call, stopped with the JVM. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** A server of one's own. */
    public static PostgresServer start() {
        return start(Map.of());
    }

    /**
     * A server of one's own.
     *
     * @param settings server settings as in {@code postgresql.conf}, over the defaults of this class
     */
    public static PostgresServer start(Map<String, String> settings) {
        return new PostgresServer(settings);
    }

    /**
     * A new database as in production: owned by the service's application role, with a relay role that may replicate.
     *
     * @param service the service's name; databases of one service differ by a number
     */
    public PostgresDatabase createDatabase(String service) {
        String name = "paysaga_" + service.replaceAll("[^a-z0-9]", "_") + "_" + DATABASES.incrementAndGet();
        var database = new PostgresDatabase(
                "jdbc:postgresql://127.0.0.1:" + port() + "/" + name,
                name,
                name + "_app",
                "app",
                name + "_relay",
                "relay");
        administer(
                "create role " + database.username() + " login password 'app'",
                "create role " + database.relayUsername() + " login replication password 'relay'",
                "create database " + name + " owner " + database.username());
        return database;
    }

    /** Runs statements as the superuser, each on its own, and each for two minutes at most. */
    public void administer(String... statements) {
        try (var connection = process.administrator();
                var statement = connection.createStatement()) {
            statement.setQueryTimeout(ADMINISTRATION_SECONDS);
            for (String sql : List.of(statements)) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** The port it listens on, the same after {@link #restart()}. */
    public int port() {
        return process.port();
    }

    /** SIGKILL to every process of the server. */
    public void kill() {
        process.kill();
    }

    /** Starts it again after {@link #kill()}, with the data it had. */
    public void restart() {
        process.restart();
    }

    @Override
    public void close() {
        process.remove();
    }

    private static final class Shared {

        static final PostgresServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "paysaga-postgres-shutdown"));
        }
    }
}
