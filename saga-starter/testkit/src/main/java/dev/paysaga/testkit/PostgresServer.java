package dev.paysaga.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server of its own processes, ready for logical replication. {@link #shared()} serves everything that only
 * needs a database; a test that kills or restarts starts its own.
 *
 * <p>Without fsync unless asked for: a killed process loses nothing by that, only a killed machine does.
 */
public final class PostgresServer implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Path dataDirectory;
    private final Map<String, String> settings;
    private EmbeddedPostgres postgres;
    private int port;

    private PostgresServer(Map<String, String> settings) {
        this.settings = new LinkedHashMap<>(Map.of(
                "wal_level", "logical",
                "max_connections", "200",
                "max_wal_senders", "40",
                "max_replication_slots", "100",
                "shared_buffers", "64MB",
                "max_wal_size", "512MB",
                // The launcher switches it off, and then a killed server forgets its last commits.
                "synchronous_commit", "on"));
        this.settings.putAll(settings);
        try {
            this.dataDirectory = Files.createTempDirectory("paysaga-postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.postgres = boot(0);
        this.port = postgres.getPort();
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
                "jdbc:postgresql://127.0.0.1:" + port + "/" + name,
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

    /** Runs statements as the superuser, each on its own. */
    public void administer(String... statements) {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            for (String sql : List.of(statements)) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** The port it listens on, the same after {@link #restart()}. */
    public int port() {
        return port;
    }

    /** SIGKILL to every process of the server. */
    public void kill() {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> all = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().join();
        all.forEach(process -> process.onExit().join());
    }

    /** Starts it again after {@link #kill()}, with the data it had. */
    public void restart() {
        try {
            Files.deleteIfExists(dataDirectory.resolve("postmaster.pid"));
            // Gives back the launcher's own lock on the directory.
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        postgres = boot(port);
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deleteRecursively(dataDirectory);
        }
    }

    private ProcessHandle postmaster() {
        try {
            long pid = Long.parseLong(Files.readAllLines(dataDirectory.resolve("postmaster.pid"))
                    .getFirst()
                    .strip());
            return ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EmbeddedPostgres boot(int wantedPort) {
        var log = ProcessBuilder.Redirect.appendTo(dataDirectory
                .resolveSibling(dataDirectory.getFileName() + ".log")
                .toFile());
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(dataDirectory)
                .setCleanDataDirectory(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setOutputRedirector(log)
                .setErrorRedirector(log);
        if (wantedPort != 0) {
            builder.setPort(wantedPort);
        }
        settings.forEach(builder::setServerConfig);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteRecursively(Path directory) {
        try (var files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(PostgresServer::delete);
        } catch (IOException | UncheckedIOException e) {
            // A temporary directory that could not be emptied harms no test.
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Shared {

        static final PostgresServer SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close, "paysaga-postgres-shutdown"));
        }
    }
}
