package dev.paysaga.stack.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The same system in containers, as {@code docker compose up} started it. A second replica, {@code order#2} for us, is the
 * compose service {@code order-2}.
 */
public final class ComposeSystem implements PaymentSystem {

    /** A service of ours is ready in about 20 s on two cores; some may start together, on a machine with other things to do. */
    private static final int START_SECONDS = 300;

    /** 128 + 9: Docker's patience was at its end. */
    private static final int KILLED = 137;

    /** States of a container that has a process, or is about to have one again. */
    private static final Set<String> ALIVE = Set.of("running", "paused", "restarting");

    /** In the order of the embedded stack. */
    private static final List<String> ORDER = List.of("-db", "kafka", "registry", "");

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String ROW = "{{.ID}}\t{{.Label \"com.docker.compose.service\"}}\t{{.State}}\t{{.Status}}";

    /** Not those that {@code docker compose run} makes for one command. */
    private static final String LASTING = "label=com.docker.compose.oneoff=False";

    private final Layout layout;
    private final Ports ports;
    private final Secrets secrets;
    private @Nullable String project;

    /** The project that {@code docker compose} takes the repository's file for: {@code COMPOSE_PROJECT_NAME}, or the file's. */
    public ComposeSystem(Layout layout, Ports ports) {
        this.layout = layout;
        this.ports = ports;
        this.secrets = new Secrets(layout);
    }

    /** @param project of that name */
    public ComposeSystem(Layout layout, Ports ports, String project) {
        this(layout, ports);
        this.project = project;
    }

    /** Whether there are containers of this repository's compose file on this machine, running or not. */
    public boolean exists() {
        try {
            return !containers().isEmpty();
        } catch (StackFailure noDocker) {
            return false;
        }
    }

    @Override
    public Secrets secrets() {
        return secrets;
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public void start(String name) {
        Container container = container(name);
        docker("start", container.id());
        boolean ready = Await.holds(
                Duration.ofSeconds(START_SECONDS), () -> container(name).state().equals("ready"));
        if (!ready) {
            throw new StackFailure(
                    name + " is not ready after " + START_SECONDS + " s. See: docker compose logs " + service(name));
        }
    }

    @Override
    public boolean launch(String name) {
        Container container = container(name);
        if (container.running()) {
            return false;
        }
        docker("start", container.id());
        return true;
    }

    @Override
    public Optional<Ending> stop(String name) {
        Container container = container(name);
        if (!container.running()) {
            return Optional.empty();
        }
        long asked = System.nanoTime();
        docker("stop", container.id());
        var took = Duration.ofNanos(System.nanoTime() - asked);
        int exitCode = Integer.parseInt(docker("inspect", "--format", "{{.State.ExitCode}}", container.id())
                .strip());
        return Optional.of(new Ending(took, exitCode != KILLED, exitCode));
    }

    @Override
    public boolean isReady(String name) {
        return container(name).state().equals("ready");
    }

    @Override
    public Set<String> alive() {
        return containers().stream()
                .filter(Container::running)
                .map(Container::name)
                .collect(Collectors.toSet());
    }

    @Override
    public boolean kill(String name) {
        return signal(name, "kill");
    }

    @Override
    public boolean pause(String name) {
        return signal(name, "pause");
    }

    @Override
    public boolean resume(String name) {
        Container container = container(name);
        if (!container.running()) {
            return false;
        }
        docker("unpause", container.id());
        return true;
    }

    private boolean signal(String name, String verb) {
        Container container = container(name);
        if (!container.running()) {
            return false;
        }
        docker(verb, container.id());
        return true;
    }

    /**
     * Takes a container out of a network: its connections there stay open and nothing arrives.
     *
     * @param network as the compose file calls it
     */
    public void disconnect(String name, String network) {
        Container container = container(name);
        docker("network", "disconnect", networkOf(network), container.id());
    }

    /**
     * Puts a container into a network, under the name that the others know it by.
     *
     * @param network as the compose file calls it
     */
    public void connect(String name, String network) {
        Container container = container(name);
        docker("network", "connect", "--alias", service(name), networkOf(network), container.id());
    }

    private String networkOf(String network) {
        return project() + "_" + network;
    }

    @Override
    public List<State> states() {
        Map<String, Long> memory = memory();
        return containers().stream()
                .map(container -> new State(
                        container.name(),
                        container.state(),
                        container.running() ? pid(container) : null,
                        ports.of(container.name()).number(),
                        container.name().endsWith("-db") || container.name().equals("kafka")
                                ? null
                                : ports.management(container.name()).number(),
                        memory.getOrDefault(container.id().substring(0, 12), 0L)))
                .toList();
    }

    @Override
    public void printLog(String name, boolean follow, PrintStream out) {
        Container container = container(name);
        var words = new ArrayList<>(List.of("docker", "logs"));
        if (follow) {
            words.add("--follow");
        }
        words.add(container.id());
        Process process = run(words);
        try (var text = process.getInputStream()) {
            text.transferTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            process.destroy();
        }
    }

    /**
     * A container of the compose project.
     *
     * @param name as the command line calls it
     * @param running whether its process exists, even if it is frozen
     */
    private record Container(String name, String id, boolean running, String state) {}

    private Container container(String name) {
        return containers().stream()
                .filter(container -> container.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new StackFailure(
                        "There is no container for " + name + ". Start the system with: docker compose up --wait"));
    }

    private List<Container> containers() {
        var found = new ArrayList<Container>();
        String ofTheProject = "label=com.docker.compose.project=" + project();
        for (String line : docker(
                        "ps", "--all", "--no-trunc", "--filter", ofTheProject, "--filter", LASTING, "--format", ROW)
                .split("\n")) {
            if (line.isBlank()) {
                continue;
            }
            String[] column = line.split("\t");
            String name = name(column[1]);
            if (isOurs(name)) {
                String state = column[2];
                boolean running = ALIVE.contains(state);
                boolean healthy = column[3].contains("(healthy)");
                String ready = state.equals("running") && healthy ? "ready" : running ? "starting" : "dead";
                found.add(new Container(name, column[0], running, ready));
            }
        }
        found.sort(Comparator.comparingInt(ComposeSystem::rank).thenComparing(Container::name));
        return found;
    }

    /** Asked once: Docker itself finds containers by label in a fifth of the time that its compose plug-in takes. */
    private synchronized String project() {
        if (project == null) {
            project = parse(compose("config", "--format", "json")).path("name").asText();
        }
        return project;
    }

    private boolean isOurs(String name) {
        try {
            ports.of(name);
            return true;
        } catch (StackFailure other) {
            return false;
        }
    }

    private static int rank(Container container) {
        for (int i = 0; i < ORDER.size(); i++) {
            if (container.name().endsWith(ORDER.get(i))) {
                return i;
            }
        }
        return ORDER.size();
    }

    private static String service(String name) {
        return name.replace('#', '-');
    }

    private static String name(String service) {
        return service.replaceFirst("-(\\d+)$", "#$1");
    }

    private static Long pid(Container container) {
        return Long.valueOf(
                docker("inspect", "--format", "{{.State.Pid}}", container.id()).strip());
    }

    /** By the first twelve digits of the container's id. */
    private static Map<String, Long> memory() {
        var memory = new HashMap<String, Long>();
        for (String line : docker("stats", "--no-stream", "--format", "json").split("\n")) {
            if (!line.isBlank()) {
                JsonNode json = parse(line);
                memory.put(
                        json.path("ID").asText().substring(0, 12),
                        bytes(json.path("MemUsage").asText()));
            }
        }
        return memory;
    }

    /** The first amount of {@code 212.4MiB / 512MiB}. */
    private static long bytes(String usage) {
        String amount = usage.replaceFirst("\\s*/.*", "");
        double number = Double.parseDouble(amount.replaceAll("[A-Za-z]", ""));
        return (long) (number
                * switch (amount.replaceAll("[0-9.]", "")) {
                    case "KiB" -> 1L << 10;
                    case "MiB" -> 1L << 20;
                    case "GiB" -> 1L << 30;
                    default -> 1;
                });
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new StackFailure("Docker answered what is no JSON: " + json, e);
        }
    }

    private String compose(String... arguments) {
        var words = new ArrayList<>(List.of(
                "docker",
                "compose",
                "--project-directory",
                layout.home().toString(),
                "--file",
                layout.home().resolve("docker-compose.yml").toString()));
        words.addAll(List.of(arguments));
        return output(words);
    }

    private static String docker(String... arguments) {
        var words = new ArrayList<>(List.of("docker"));
        words.addAll(List.of(arguments));
        return output(words);
    }

    private static String output(List<String> words) {
        Process process = run(words);
        try {
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroy();
                throw new StackFailure(String.join(" ", words) + " did not end.");
            }
            if (process.exitValue() != 0) {
                throw new StackFailure(String.join(" ", words) + " failed: " + text.strip());
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackFailure("Interrupted.", e);
        }
    }

    private static Process run(List<String> words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new StackFailure("Cannot run docker: " + e.getMessage() + ". Is Docker installed?", e);
        }
    }
}
