package dev.paysaga.stack.processes;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The little that Java does not say about processes: Linux by {@code /proc}, others by {@code ps} and {@code kill}. */
final class OperatingSystem {

    private static final Path PROC = Path.of("/proc");
    private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

    private OperatingSystem() {}

    static boolean isLinux() {
        return LINUX;
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Is there a program of this name on the PATH? */
    static boolean has(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        for (String folder : path.split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /**
     * What tells a process from a later one with the same number: when it started, in the kernel's own terms.
     *
     * @return null when there is no such process (a dead one that nobody has waited for counts as none)
     */
    static @Nullable String identity(long pid) {
        if (LINUX) {
            String[] fields = stat(pid);
            return fields == null || isOver(fields) ? null : bootId() + "/" + fields[19];
        }
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().startInstant())
                .map(Object::toString)
                .orElse(null);
    }

    /** Fields of /proc/PID/stat from the state on, which is the third in the manual; null when there is no such process. */
    private static String @Nullable [] stat(long pid) {
        try {
            String line = Files.readString(PROC.resolve(pid + "/stat"));
            return line.substring(line.lastIndexOf(')') + 2).split(" ");
        } catch (IOException e) {
            return null;
        }
    }

    /** A zombie with further threads is still busy dying: until they are gone too, it holds its ports. */
    private static boolean isOver(String[] stat) {
        return stat[0].equals("Z") && Integer.parseInt(stat[17]) <= 1;
    }

    private static String bootId() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Memory of a process with all its children, in bytes. What children share (PostgreSQL's buffers) counts once: the sum
     * of proportional set sizes where the kernel gives them, of resident set sizes otherwise.
     */
    static long memory(long pid) {
        return ProcessHandle.of(pid)
                .map(process -> {
                    List<ProcessHandle> children = process.descendants().toList();
                    long own = children.isEmpty() ? resident(pid) : shared(pid);
                    return own
                            + children.stream()
                                    .mapToLong(child -> shared(child.pid()))
                                    .sum();
                })
                .orElse(0L);
    }

    private static long shared(long pid) {
        long proportional = kilobytes(PROC.resolve(pid + "/smaps_rollup"), "Pss:");
        return proportional > 0 ? proportional : resident(pid);
    }

    private static long resident(long pid) {
        return LINUX
                ? kilobytes(PROC.resolve(pid + "/status"), "VmRSS:")
                : output(List.of("ps", "-o", "rss=", "-p", Long.toString(pid)))
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .map(text -> Long.parseLong(text) * 1024)
                        .orElse(0L);
    }

    private static long kilobytes(Path file, String label) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(label)) {
                    return Long.parseLong(line.substring(label.length())
                                    .replace("kB", "")
                                    .strip())
                            * 1024;
                }
            }
        } catch (IOException e) {
            // the process is gone, or it is not ours to look at
        }
        return 0;
    }

    /**
     * SIGKILL to a process and everything it has started. It is stopped first, so that it cannot start another child between
     * the counting and the killing.
     */
    static void kill(long pid) {
        if (ProcessHandle.of(pid).isEmpty()) {
            return;
        }
        signal("STOP", List.of(pid));
        signal("KILL", family(pid));
    }

    /** A process and everything it has started. */
    static List<Long> family(long pid) {
        var members = new ArrayList<Long>();
        members.add(pid);
        ProcessHandle.of(pid).ifPresent(process -> process.descendants().forEach(child -> members.add(child.pid())));
        return members;
    }

    /** A signal by its name, such as {@code INT}; processes that are gone are passed over. */
    static void signal(String name, List<Long> pids) {
        var command = new ArrayList<>(List.of("kill", "-" + name));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        output(command);
    }

    /**
     * Processes that work in a folder: what a killed PostgreSQL may have left behind. Empty where the system does not tell.
     */
    static List<Long> workingIn(Path directory) {
        var found = new ArrayList<Long>();
        if (!LINUX) {
            return found;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                try {
                    if (Files.readSymbolicLink(process.resolve("cwd")).equals(directory)) {
                        found.add(Long.parseLong(process.getFileName().toString()));
                    }
                } catch (IOException e) {
                    // gone meanwhile, or not ours
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** Who listens on a port, in words; empty when the system does not tell. */
    static Optional<String> listener(int port) {
        Optional<String> pid = Optional.empty();
        if (has("lsof")) {
            pid = output(List.of("lsof", "-nP", "-iTCP:" + port, "-sTCP:LISTEN", "-t"))
                    .flatMap(t -> t.lines().findFirst());
        } else if (has("ss")) {
            pid = output(List.of("ss", "-Hltnp", "sport = :" + port))
                    .filter(text -> text.contains("pid="))
                    .map(text -> text.replaceAll("(?s).*?pid=(\\d+).*", "$1"));
        }
        return pid.map(Long::parseLong)
                .flatMap(ProcessHandle::of)
                .map(process -> process.info().command().orElse("a program") + ", pid " + process.pid());
    }

    /** What a short command prints; empty when it cannot be run or fails. */
    static Optional<String> output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? Optional.of(text)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
