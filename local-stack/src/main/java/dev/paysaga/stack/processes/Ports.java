package dev.paysaga.stack.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Who listens where. Every port has a default and an environment variable that changes it. */
public final class Ports {

    /** Management ports lie this far above their service's port. */
    private static final int MANAGEMENT = 1000;

    /** Further replicas lie this far above the one before. */
    private static final int REPLICA = 100;

    private static final Map<String, Integer> DEFAULTS = Map.ofEntries(
            Map.entry("order", 8081),
            Map.entry("inventory", 8082),
            Map.entry("account", 8083),
            Map.entry("notification", 8084),
            Map.entry("console", 8080),
            Map.entry("registry", 8085),
            Map.entry("kafka", 9092),
            Map.entry("order-db", 5433),
            Map.entry("inventory-db", 5434),
            Map.entry("account-db", 5435),
            Map.entry("notification-db", 5436),
            Map.entry("console-db", 5437));

    private final Map<String, String> environment;

    private Ports(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** @param environment variables by name, such as {@code System.getenv()} */
    public static Ports from(Map<String, String> environment) {
        return new Ports(environment);
    }

    /**
     * A port and the variable that changes it.
     *
     * @param number 1 to 65535
     */
    public record Port(String variable, int number) {}

    /**
     * Where a process listens for its users.
     *
     * @param process such as {@code order}, {@code order#2} or {@code order-db}
     */
    public Port of(String process) {
        int hash = process.indexOf('#');
        String name = hash < 0 ? process : process.substring(0, hash);
        Integer base = DEFAULTS.get(name);
        if (base == null) {
            throw new StackFailure("There is no process called " + process + ".");
        }
        int replica = hash < 0 ? 1 : Integer.parseInt(process.substring(hash + 1));
        return read(variable(process, "PORT"), replica == 1 ? base : of(name).number() + (replica - 1) * REPLICA);
    }

    /** Where a service or the registry listens for its operators. */
    public Port management(String process) {
        return read(variable(process, "MANAGEMENT_PORT"), of(process).number() + MANAGEMENT);
    }

    /** Where the broker's controller listens; nobody but the broker itself connects to it. */
    public Port controller() {
        return read("PAYSAGA_KAFKA_CONTROLLER_PORT", of("kafka").number() + 1);
    }

    /** All variables with their present values, for the help text. */
    public List<Port> all() {
        var ports = new ArrayList<Port>();
        for (String service : List.of("order", "inventory", "account", "notification", "console")) {
            ports.add(of(service));
            ports.add(management(service));
            ports.add(of(service + "-db"));
        }
        ports.add(of("registry"));
        ports.add(management("registry"));
        ports.add(of("kafka"));
        ports.add(controller());
        return ports;
    }

    private Port read(String variable, int otherwise) {
        String text = environment.get(variable);
        if (text == null || text.isBlank()) {
            return new Port(variable, otherwise);
        }
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= 1 && number <= 65_535) {
                return new Port(variable, number);
            }
        } catch (NumberFormatException e) {
            // falls through to the message, which is the same for a word and for a number that is no port
        }
        throw new StackFailure(variable + "=" + text + " is not a port: give a number from 1 to 65535.");
    }

    private static String variable(String process, String suffix) {
        return "PAYSAGA_" + process.toUpperCase(Locale.ROOT).replace('-', '_').replace('#', '_') + "_" + suffix;
    }
}
