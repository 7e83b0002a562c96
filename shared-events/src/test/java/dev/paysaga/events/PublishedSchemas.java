package dev.paysaga.events;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.apache.avro.SchemaParser;

/** The schemas as they are now, and every version of them that was ever published. */
final class PublishedSchemas {

    private static final Path NOW = Path.of("src/main/avro");
    private static final Path BASELINE = Path.of("src/baseline/avro");
    private static final String ENDING = ".avsc";

    private PublishedSchemas() {}

    /** What {@code src/main/avro} says, by file name without ending. */
    static Map<String, Schema> now() {
        var parser = new SchemaParser();
        Map<String, SchemaParser.ParseResult> parsed = new TreeMap<>();
        for (Path file : children(NOW)) {
            String name = file.getFileName().toString().replace(ENDING, "");
            try {
                parsed.put(name, parser.parse(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        Map<String, Schema> schemas = new TreeMap<>();
        parsed.forEach((name, result) -> schemas.put(name, result.mainSchema()));
        return schemas;
    }

    /** Every published version by name, the oldest first. */
    static Map<String, List<Schema>> versions() {
        Map<String, List<Schema>> versions = new TreeMap<>();
        for (Path directory : children(BASELINE)) {
            List<Schema> ofOne = new ArrayList<>();
            for (Path file : children(directory)) {
                ofOne.add(new Schema.Parser().parse(read(file)));
            }
            versions.put(directory.getFileName().toString(), ofOne);
        }
        return versions;
    }

    /** Writes down the next version of a schema. */
    static void publish(String name, int version, Schema schema) {
        try {
            Path directory = Files.createDirectories(BASELINE.resolve(name));
            Files.writeString(
                    directory.resolve(version + ENDING), SchemaFormatter.format("json/pretty", schema) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> children(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.sorted(
                            Comparator.comparingInt(PublishedSchemas::version).thenComparing(Comparator.naturalOrder()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int version(Path file) {
        String name = file.getFileName().toString();
        return name.matches("\\d+" + ENDING) ? Integer.parseInt(name.replace(ENDING, "")) : 0;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
