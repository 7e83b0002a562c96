package dev.paysaga.stack.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Where things are.
 *
 * @param home the repository, with the built modules in it
 * @param state everything the stack writes: {@code run} (pids), {@code logs}, {@code data}, {@code secrets}, and what can be
 *     made again at any time: {@code postgres} (binaries) and {@code apps} (unpacked services)
 */
public record Layout(Path home, Path state) {

    /**
     * The layout of this command line.
     *
     * @throws StackFailure when it was not started by {@code ./paysaga}
     */
    public static Layout here() {
        String home = System.getProperty("paysaga.home");
        if (home == null) {
            throw new StackFailure("Start me with ./paysaga: the system property paysaga.home is missing.");
        }
        String state = System.getenv("PAYSAGA_STATE");
        Path root = Path.of(home).toAbsolutePath();
        return new Layout(
                root, state == null ? root.resolve(".paysaga") : Path.of(state).toAbsolutePath());
    }

    Path run(String process) {
        return state.resolve("run").resolve(process + ".json");
    }

    /** The log of one process, appended over restarts. */
    public Path log(String process) {
        return state.resolve("logs").resolve(process + ".log");
    }

    Path data(String process) {
        return state.resolve("data").resolve(process);
    }

    Path secrets() {
        return state.resolve("secrets");
    }

    /** The jar of this command line, which names its libraries. */
    Path commandLine() {
        Path target = home.resolve("local-stack/target");
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, "local-stack-*[0-9].jar")) {
            for (Path jar : jars) {
                return jar;
            }
        } catch (IOException e) {
            throw new StackFailure("Cannot read " + target + ": " + e.getMessage(), e);
        }
        throw new StackFailure("local-stack is not built: there is no local-stack-*.jar in " + target);
    }

    Path registry() {
        return home.resolve("local-stack/target/registry");
    }

    static void createParentOf(Path file) {
        Path folder = file.getParent();
        if (folder != null) {
            createDirectories(folder);
        }
    }

    static void createDirectories(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new StackFailure("Cannot create " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Deletes a folder with all that is in it; a missing folder is fine. */
    static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
                        throws IOException {
                    if (failed != null) {
                        throw failed;
                    }
                    Files.delete(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a folder with all that is in it, modes included; the target must not exist. */
    static void copy(Path from, Path to) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                        throws IOException {
                    Files.copy(folder, target(folder), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.copy(file, target(file), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                    return FileVisitResult.CONTINUE;
                }

                private Path target(Path path) {
                    return to.resolve(from.relativize(path));
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
