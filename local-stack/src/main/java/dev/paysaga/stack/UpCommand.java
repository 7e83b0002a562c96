package dev.paysaga.stack;

import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.Stack;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "up", description = "Starts whatever is not running and waits until all of it is ready.")
final class UpCommand extends Main.Action {

    @Option(names = "--fresh", description = "Start from nothing: all data and logs are deleted first.")
    private boolean fresh;

    @Option(
            names = "--replicas",
            split = ",",
            paramLabel = "SERVICE=N",
            description = "More than one of a service: --replicas order=2,account=2")
    private Map<String, Integer> replicas = new HashMap<>();

    @Option(names = "--servers-only", description = "Databases, broker and registry only: the services run elsewhere.")
    private boolean serversOnly;

    @Override
    public Integer call() {
        replicas.forEach((service, count) -> {
            if (!Databases.SERVICES.contains(service) || count < 1 || count > 12) {
                throw wrong("--replicas " + service + "=" + count + ": a service of " + Databases.SERVICES
                        + " and a number from 1 to 12");
            }
        });
        if (serversOnly) {
            Databases.SERVICES.forEach(service -> replicas.put(service, 0));
            replicas.put("console", 0);
        }
        long begin = System.nanoTime();
        Stack stack = Main.stack();
        if (fresh) {
            stack.clear();
        }
        stack.up(replicas);
        Main.OUT.printf("The stack is up after %.1f s.%n%n", (System.nanoTime() - begin) / 1e9);
        StatusTable.print(stack.states(), Main.OUT);
        return 0;
    }
}
