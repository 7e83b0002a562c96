package dev.paysaga.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server as processes of this machine, from binaries in a jar. */
final class EmbeddedServer implements PostgresServer.Process {

    private final Path dataDirectory;
    private final Map<String, String> settings;
    private final int port = FreePorts.two()[0];
    private EmbeddedPostgres postgres;

    EmbeddedServer(Map<String, String> settings) {
        this.settings = settings;
        try {
            this.dataDirectory = Files.createTempDirectory("paysaga-postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.postgres = boot();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Connection administrator() throws SQLException {
        return postgres.getPostgresDatabase().getConnection();
    }

    @Override
    public void kill() {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> all = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().join();
        all.forEach(process -> process.onExit().join());
    }

    @Override
    public void restart() {
        try {
            Files.deleteIfExists(dataDirectory.resolve("postmaster.pid"));
            // Gives back the launcher's own lock on the directory.
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        postgres = boot();
    }

    @Override
    public void remove() {
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

    private EmbeddedPostgres boot() {
        var log = ProcessBuilder.Redirect.appendTo(dataDirectory
                .resolveSibling(dataDirectory.getFileName() + ".log")
                .toFile());
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(dataDirectory)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setPGStartupWait(Duration.ofMinutes(4))
                .setOutputRedirector(log)
                .setErrorRedirector(log);
        settings.forEach(builder::setServerConfig);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteRecursively(Path directory) {
        try (var files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(EmbeddedServer::delete);
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
}
