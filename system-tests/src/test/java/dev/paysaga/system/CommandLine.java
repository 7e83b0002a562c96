package dev.paysaga.system;

import dev.paysaga.stack.processes.ComposeSystem;
import dev.paysaga.stack.processes.Layout;
import dev.paysaga.stack.processes.Ports;
import dev.paysaga.stack.processes.Stack;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code ./paysaga} with ports and a folder of its own, so that tests disturb nobody and nobody disturbs them. */
final class CommandLine {

    /** Beyond the ports that systems hand out by themselves, which end up in other people's connections. */
    private static final int LOWEST_PORT = 20_000;

    private static final int HIGHEST_PORT = 30_000;

    /** For a loaded machine: the longest command, three minutes of chaos, takes five. */
    private static final int MINUTES = 20;

    /** The repository. */
    static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    static {
        // Servers come and go in these tests, and Kafka's clients have much to say about it.
        Logger.getLogger("").setLevel(Level.OFF);
    }

    private final Path state;
    private final Map<String, String> environment = new HashMap<>();

    /** @param name of the folder under {@code target} that keeps data and logs; emptied before use */
    CommandLine(String name) {
        this.state = Path.of("target", name).toAbsolutePath();
        // Maven has built what we run; a second Maven in the same folders would do no good.
        environment.put("PAYSAGA_BUILT", "yes");
        environment.put("PAYSAGA_STATE", state.toString());
        var variables = new ArrayList<String>();
        Ports.from(Map.of()).all().forEach(port -> variables.add(port.variable()));
        for (String service : List.of("ORDER", "INVENTORY", "ACCOUNT", "NOTIFICATION")) {
            variables.add("PAYSAGA_" + service + "_2_PORT");
            variables.add("PAYSAGA_" + service + "_2_MANAGEMENT_PORT");
        }
        int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
        for (String variable : variables) {
            do {
                port++;
            } while (!isFree(port));
            environment.put(variable, Integer.toString(port));
        }
    }

    /**
     * How a command ended.
     *
     * @param output what it said, standard output and errors together
     */
    record Result(int code, String output) {}

    /** Changes a variable for all commands to come. */
    CommandLine with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Runs a command to its end. */
    Result run(String... arguments) {
        return program(HOME.resolve("paysaga").toString(), arguments);
    }

    /** Runs {@code docker compose} on the repository's file, with these ports and this folder, to its end. */
    Result compose(String... arguments) {
        var words = new ArrayList<>(List.of(
                "compose",
                "--project-directory",
                HOME.toString(),
                "--file",
                HOME.resolve("docker-compose.yml").toString()));
        words.addAll(List.of(arguments));
        return program("docker", words.toArray(String[]::new));
    }

    /** Runs any program to its end; exit code 127 where there is none of this name. */
    Result program(String program, String... arguments) {
        var command = new ArrayList<String>();
        command.add(program);
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("paysaga-", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(HOME.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                return new Result(127, e.getMessage());
            }
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " did not end: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The same stack for code that need not go through the command line. */
    Stack stack() {
        return new Stack(
                new Layout(HOME, state),
                Ports.from(environment),
                new PrintStream(System.out, true, StandardCharsets.UTF_8));
    }

    /** The containers for code that need not go through the command line, and only talks to them. */
    ComposeSystem containers() {
        return new ComposeSystem(new Layout(HOME, state), Ports.from(environment), variable("COMPOSE_PROJECT_NAME"));
    }

    /** The value that a variable has for this command line. */
    String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
