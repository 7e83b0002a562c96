package dev.paysaga.stack;

import dev.paysaga.stack.demo.Demo;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Stack;
import java.util.ArrayList;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = "Starts the stack and shows what happens to orders, whatever happens to the servers.")
final class DemoCommand extends Main.Action {

    @Option(names = "--once", description = "Stop the stack afterwards; exit 0 only if everything ended as it should.")
    private boolean once;

    @Option(
            names = "--against",
            defaultValue = "embedded",
            paramLabel = "embedded|compose",
            description =
                    "The embedded stack, started if need be, or the containers of docker compose, which must be up.")
    private Main.BackEnd against = Main.BackEnd.EMBEDDED;

    @Override
    public Integer call() {
        return against == Main.BackEnd.COMPOSE ? playInContainers() : playEmbedded();
    }

    private int playInContainers() {
        if (once) {
            throw wrong("--once stops what the demo has started, and it has not started the containers");
        }
        PaymentSystem system = Main.compose();
        long begin = System.nanoTime();
        boolean good = play(system, begin);
        urls(system, "docker compose down");
        return good ? 0 : 1;
    }

    private int playEmbedded() {
        long begin = System.nanoTime();
        Stack stack = Main.stack();
        boolean good;
        try {
            Main.OUT.println("Starting ...");
            stack.up(Map.of());
            Main.OUT.printf("The stack is up after %.1f s.%n", (System.nanoTime() - begin) / 1e9);
            good = play(stack, begin);
        } finally {
            if (once) {
                stack.down();
            }
        }
        if (!once) {
            urls(stack, "./paysaga down");
        }
        return good ? 0 : 1;
    }

    private static boolean play(PaymentSystem system, long begin) {
        boolean good = Demo.play(system, Main.OUT);
        Main.OUT.println();
        StatusTable.print(system.states(), Main.OUT);
        Main.OUT.printf("%n%s after %.1f s.%n", good ? "All is well" : "NOT WELL", (System.nanoTime() - begin) / 1e9);
        return good;
    }

    private static void urls(PaymentSystem stack, String stop) {
        Main.OUT.printf("%nIt goes on running (%s stops it):%n", stop);
        var services = new ArrayList<>(Databases.SERVICES);
        stack.states().stream()
                .map(PaymentSystem.State::name)
                .filter("console"::equals)
                .forEach(services::add);
        for (String service : services) {
            Main.OUT.printf(
                    "  %-14s http://127.0.0.1:%d/v3/api-docs   health http://127.0.0.1:%d/actuator/health%n",
                    service,
                    stack.ports().of(service).number(),
                    stack.ports().management(service).number());
        }
        Main.OUT.printf("  %-14s %s%n", "registry", stack.registryUrl());
        Main.OUT.printf("  %-14s %s, watch it with: ./paysaga tail order.events%n", "kafka", stack.bootstrapServers());
    }
}
