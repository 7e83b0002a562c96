package dev.paysaga.stack.processes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Starts one process so that it outlives the command line, and stops or kills it; touches no process it has not started. */
final class Launcher {

    /** First starts on a busy machine take a while; nothing that works takes this long. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Longer than the services' own graceful shutdown. */
    private static final Duration STOPPING = Duration.ofSeconds(25);

    /** A port may outlive a killed process by a moment. */
    private static final Duration LETTING_GO = Duration.ofSeconds(2);

    private static final int LOG_LINES = 15;

    private static final Pattern STACK_FRAME = Pattern.compile("^\\s+(at |\\.\\.\\. \\d+ )");

    private final Layout layout;

    /** By process number: the system tells how they end only to the program that has started them. */
    private final Map<Long, Process> started = new ConcurrentHashMap<>();

    Launcher(Layout layout) {
        this.layout = layout;
    }

    /** Starts it unless it runs, and waits until it can be used. */
    void start(Member member) {
        Running running = Running.find(layout, member.name());
        if (running == null) {
            running = spawn(member);
        }
        awaitReady(member, running);
        member.complete();
    }

    /**
     * Starts it unless it runs, and waits for nothing.
     *
     * @return false when it ran already
     */
    boolean launch(Member member) {
        if (Running.find(layout, member.name()) != null) {
            return false;
        }
        spawn(member);
        return true;
    }

    /** What to say about ports of this member that somebody else holds; empty when all is well. */
    List<String> takenPorts(Member member) {
        if (Running.find(layout, member.name()) != null) {
            return List.of();
        }
        return member.ports().stream()
                .filter(port -> !Await.holds(LETTING_GO, () -> Probe.isFree(port.number())))
                .map(port -> "Port " + port.number() + " (" + member.name() + ") is taken"
                        + OperatingSystem.listener(port.number())
                                .map(who -> " by " + who)
                                .orElse("")
                        + ". Stop that, or choose another port with " + port.variable() + ".")
                .toList();
    }

    private Running spawn(Member member) {
        Member.Command command = member.prepare();
        Path log = layout.log(member.name());
        Layout.createParentOf(log);
        Layout.createParentOf(layout.run(member.name()));
        var words = new ArrayList<>(newSession());
        words.addAll(command.words());
        var builder = new ProcessBuilder(words)
                .directory(command.directory().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(command.environment());
        try {
            Process process = builder.start();
            String identity = OperatingSystem.identity(process.pid());
            var running = new Running(
                    member.name(),
                    process.pid(),
                    identity == null ? "gone at once" : identity,
                    member.ports().getFirst().number());
            running.remember(layout);
            started.put(process.pid(), process);
            return running;
        } catch (IOException e) {
            throw new StackFailure("Cannot start " + member.name() + ": " + e.getMessage(), e);
        }
    }

    /** A session of its own: neither Ctrl-C in this terminal nor closing it reaches the process. */
    private static List<String> newSession() {
        if (OperatingSystem.has("setsid")) {
            return List.of("setsid");
        }
        if (OperatingSystem.has("perl")) {
            return List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec @ARGV or die $!");
        }
        return List.of("nohup");
    }

    private void awaitReady(Member member, Running running) {
        boolean ready = Await.holds(PATIENCE, () -> {
            if (!running.isAlive()) {
                throw new StackFailure(member.name() + " ended before it was ready. " + lastWords(member.name()));
            }
            return member.ready();
        });
        if (!ready) {
            throw new StackFailure(
                    member.name() + " is not ready after " + PATIENCE.toSeconds() + " s. " + lastWords(member.name()));
        }
    }

    /** The end of its log without the frames of stack traces, which push the reason out of sight. */
    private String lastWords(String name) {
        try {
            List<String> lines = Files.readAllLines(layout.log(name)).stream()
                    .filter(line ->
                            !line.isBlank() && !STACK_FRAME.matcher(line).find())
                    .toList();
            return "The end of " + layout.log(name) + ":\n  "
                    + String.join("\n  ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "There is no log at " + layout.log(name) + ".";
        }
    }

    /**
     * Asks it to stop, and kills it when it does not.
     *
     * @return empty when it was not running
     */
    Optional<Ending> stop(String name, String signal) {
        Running running = Running.find(layout, name);
        if (running == null) {
            new Running(name, 0, "", 0).forget(layout);
            return Optional.empty();
        }
        long asked = System.nanoTime();
        OperatingSystem.signal(signal, List.of(running.pid()));
        boolean byItself = Await.holds(STOPPING, () -> !running.isAlive());
        if (!byItself) {
            kill(running);
        }
        running.forget(layout);
        var took = Duration.ofNanos(System.nanoTime() - asked);
        return Optional.of(new Ending(took, byItself, exitCode(running.pid())));
    }

    private @Nullable Integer exitCode(long pid) {
        Process process = started.remove(pid);
        try {
            return process != null && process.waitFor(1, TimeUnit.SECONDS) ? process.exitValue() : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /**
     * SIGKILL, as a crash would.
     *
     * @return its process number; null when it was not running
     */
    @Nullable
    Long kill(String name) {
        Running running = Running.find(layout, name);
        if (running == null) {
            return null;
        }
        kill(running);
        return running.pid();
    }

    private static void kill(Running running) {
        OperatingSystem.kill(running.pid());
        Await.until(running.name() + " (pid " + running.pid() + ") is dead", 60, () -> !running.isAlive());
    }
}
