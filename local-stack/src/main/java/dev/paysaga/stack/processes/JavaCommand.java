package dev.paysaga.stack.processes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the stack runs its Java processes: with the JDK of the command line, small, and quick to start. */
final class JavaCommand {

    private JavaCommand() {}

    /**
     * The first words of a command: the JVM and its options.
     *
     * @param name the process, so that people find it in {@code ps} and {@code jps}
     */
    static List<String> jvm(Layout layout, String name, int heapMegabytes) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        words.add("-Dpaysaga.process=" + name);
        words.add("-Xms32m");
        words.add("-Xmx" + heapMegabytes + "m");
        words.add("-Xss512k");
        words.add("-XX:+UseSerialGC");
        words.add("-XX:+ExitOnOutOfMemoryError");
        words.add("-XX:-UsePerfData");
        words.add("-Duser.timezone=UTC");
        words.add("-Dfile.encoding=UTF-8");
        words.add("-Djava.net.preferIPv4Stack=true");
        words.add("-XX:ErrorFile=" + layout.log(name).resolveSibling(name + "-crash.log"));
        return words;
    }

    /** JVM options for the services from {@code PAYSAGA_SERVICE_OPTS}, separated by spaces; they come last, and so win. */
    static List<String> extraOptions() {
        String options = System.getenv("PAYSAGA_SERVICE_OPTS");
        return options == null || options.isBlank()
                ? List.of()
                : List.of(options.strip().split("\\s+"));
    }
}
