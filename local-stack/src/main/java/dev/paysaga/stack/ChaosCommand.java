package dev.paysaga.stack;

import dev.paysaga.stack.chaos.Chaos;
import dev.paysaga.stack.chaos.Result;
import dev.paysaga.stack.chaos.Surroundings;
import dev.paysaga.stack.processes.Stack;
import dev.paysaga.stack.processes.StackFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "chaos",
        description = "Load with faults, then the verdict: every promise kept, nothing lost, nothing doubled.")
final class ChaosCommand extends Main.Action {

    @Option(
            names = "--minutes",
            defaultValue = "3",
            description = "How long clients come and faults happen (${DEFAULT-VALUE}); parts are welcome.")
    private double minutes;

    @Option(names = "--rate", defaultValue = "20", description = "Clients a second (${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seed", description = "The same seed gives the same faults and clients; else one by chance.")
    private @Nullable Long seed;

    @Option(names = "--every", defaultValue = "10", description = "Seconds between two faults (${DEFAULT-VALUE}).")
    private double every;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Append the result to this file.")
    private @Nullable Path markdown;

    @Override
    public Integer call() {
        if (minutes <= 0 || rate < 1 || every < 1) {
            throw wrong("--minutes and --rate must be positive, --every at least 1");
        }
        Stack straight = Main.stack();
        try (var surroundings = new Surroundings(straight.ports())) {
            Stack stack = straight.wired(surroundings);
            // What runs is wired straight, and would go on so.
            stack.down();
            Main.OUT.println("Starting ...");
            stack.up(Map.of());
            Result result = new Chaos(stack, Main.OUT)
                    .run(
                            surroundings,
                            seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed,
                            Duration.ofMillis((long) (minutes * 60_000)),
                            rate,
                            Duration.ofMillis((long) (every * 1_000)));
            if (markdown != null) {
                append(markdown, result.markdown() + "\n");
            }
            return result.clean() ? 0 : 1;
        } finally {
            straight.down();
        }
    }

    private static void append(Path file, String text) {
        try {
            Files.writeString(
                    file, text, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new StackFailure("Cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
