package dev.paysaga.stack.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that was started, as remembered in {@code run/NAME.json}.
 *
 * @param identity tells it from a later process with the same number; a foreign process is never touched
 */
record Running(String name, long pid, String identity, int port) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The process of this name, if it is alive; null when it is not, whatever file it may have left. */
    static @Nullable Running find(Layout layout, String name) {
        Path file = layout.run(name);
        try {
            JsonNode json = JSON.readTree(Files.readString(file));
            var known = new Running(
                    name,
                    json.path("pid").asLong(),
                    json.path("identity").asText(),
                    json.path("port").asInt());
            return known.isAlive() ? known : null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new StackFailure("Cannot read " + file + ": " + e.getMessage() + ". Delete it if it is broken.", e);
        }
    }

    /** Names of all processes that were started and not stopped, dead or alive, sorted. */
    static List<String> names(Layout layout) {
        try (var files = Files.list(layout.run("x").resolveSibling("."))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".json"))
                    .map(file -> file.substring(0, file.length() - ".json".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    boolean isAlive() {
        return identity.equals(OperatingSystem.identity(pid));
    }

    void remember(Layout layout) {
        Path file = layout.run(name);
        Path draft = file.resolveSibling(name + ".tmp");
        try {
            Files.writeString(
                    draft,
                    JSON.writeValueAsString(Map.of("name", name, "pid", pid, "identity", identity, "port", port)));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    void forget(Layout layout) {
        try {
            Files.deleteIfExists(layout.run(name));
        } catch (IOException e) {
            throw new StackFailure("Cannot delete " + layout.run(name) + ": " + e.getMessage(), e);
        }
    }
}
