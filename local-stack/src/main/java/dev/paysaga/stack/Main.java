package dev.paysaga.stack;

import dev.paysaga.stack.processes.ComposeSystem;
import dev.paysaga.stack.processes.Layout;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Ports;
import dev.paysaga.stack.processes.Stack;
import dev.paysaga.stack.processes.StackFailure;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The one entry point of {@code ./paysaga}. */
@Command(
        name = "paysaga",
        description =
                "The payment saga on this machine: four services and the console, five PostgreSQL instances, Kafka, a schema registry.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            UpCommand.class,
            DownCommand.class,
            StatusCommand.class,
            KillCommand.class,
            StartCommand.class,
            RestartCommand.class,
            LogsCommand.class,
            PublishCommand.class,
            TailCommand.class,
            TokenCommand.class,
            ReconcileCommand.class,
            BenchCommand.class,
            ChaosCommand.class
        })
public final class Main {

    static final PrintStream OUT =
            new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);

    private Main() {}

    /** Exit code 0: done; 1: it did not work, or the verdict is bad; 2: wrong usage. */
    public static void main(String[] arguments) {
        // What the libraries have to say about servers that come and go belongs to nobody at a terminal.
        Logger.getLogger("").setLevel(Level.OFF);
        var line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof StackFailure && System.getenv("PAYSAGA_DEBUG") == null) {
                command.getErr().println("paysaga: " + failure.getMessage());
            } else {
                failure.printStackTrace(command.getErr());
            }
            return 1;
        });
        line.getHelpSectionMap().put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER, help -> ports());
        System.exit(line.execute(arguments));
    }

    /** What a system can run in. */
    enum BackEnd {
        EMBEDDED,
        COMPOSE
    }

    /** The system that runs: the embedded stack, or the containers if there are any and no process of the embedded stack. */
    static PaymentSystem system() {
        Stack stack = stack();
        if (!stack.isRunning()) {
            var compose = new ComposeSystem(Layout.here(), Ports.from(System.getenv()));
            if (compose.exists()) {
                return compose;
            }
        }
        return stack;
    }

    /** The system in containers, which must be there. */
    static ComposeSystem compose() {
        var compose = new ComposeSystem(Layout.here(), Ports.from(System.getenv()));
        if (!compose.exists()) {
            throw new StackFailure("There are no containers. Start them with: docker compose up --wait");
        }
        return compose;
    }

    /** The embedded stack of this repository, telling its progress on standard output. */
    static Stack stack() {
        return new Stack(Layout.here(), Ports.from(System.getenv()), OUT);
    }

    private static String ports() {
        var text = new StringBuilder("%nPorts, each changed by its environment variable:%n".formatted());
        try {
            for (Ports.Port port : Ports.from(System.getenv()).all()) {
                text.append("  %-38s %d%n".formatted(port.variable(), port.number()));
            }
        } catch (StackFailure wrong) {
            text.append("  ").append(wrong.getMessage()).append(System.lineSeparator());
        }
        return text.toString();
    }

    /** A command that ends with an exit code. */
    abstract static class Action implements Callable<Integer> {

        @CommandLine.Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Show this help and exit.")
        private boolean help;

        @CommandLine.Spec
        private CommandLine.Model.@Nullable CommandSpec spec;

        /** Refuses what was typed, with the usage of the command. */
        CommandLine.ParameterException wrong(String message) {
            if (spec == null) {
                throw new IllegalStateException(message);
            }
            return new CommandLine.ParameterException(spec.commandLine(), message);
        }
    }
}
