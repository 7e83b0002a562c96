package dev.paysaga.stack;

import dev.paysaga.stack.chaos.Chaos;
import dev.paysaga.stack.chaos.ContainerNetworks;
import dev.paysaga.stack.chaos.Proxies;
import dev.paysaga.stack.chaos.Result;
import dev.paysaga.stack.chaos.Surroundings;
import dev.paysaga.stack.processes.ComposeSystem;
import dev.paysaga.stack.processes.PaymentSystem;
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

    @Option(
            names = "--against",
            defaultValue = "embedded",
            paramLabel = "embedded|compose",
            description =
                    "The embedded stack, started for this and stopped afterwards, or the containers of docker compose, which must be up and go on running.")
    private Main.BackEnd against = Main.BackEnd.EMBEDDED;

    @Override
    public Integer call() {
        if (minutes <= 0 || rate < 1 || every < 1) {
            throw wrong("--minutes and --rate must be positive, --every at least 1");
        }
        Result result = against == Main.BackEnd.COMPOSE ? inContainers() : embedded();
        if (markdown != null) {
            append(markdown, result.markdown() + "\n");
        }
        return result.clean() ? 0 : 1;
    }

    private Result inContainers() {
        ComposeSystem system = Main.compose();
        try (var networks = new ContainerNetworks(system)) {
            return run(system, networks);
        }
    }

    private Result embedded() {
        Stack straight = Main.stack();
        try (var proxies = new Proxies(straight.ports())) {
            Stack stack = straight.wired(proxies);
            // What runs is wired straight, and would go on so.
            stack.down();
            Main.OUT.println("Starting ...");
            stack.up(Map.of());
            return run(stack, proxies);
        } finally {
            straight.down();
        }
    }

    private Result run(PaymentSystem system, Surroundings surroundings) {
        return new Chaos(system, Main.OUT)
                .run(
                        surroundings,
                        seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed,
                        Duration.ofMillis((long) (minutes * 60_000)),
                        rate,
                        Duration.ofMillis((long) (every * 1_000)));
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
