package dev.paysaga.stack;

import dev.paysaga.stack.bench.Bench;
import dev.paysaga.stack.bench.Target;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "bench",
        description = "Measures orders a second and latencies on the running stack, beside one database.")
final class BenchCommand extends Main.Action {

    @Option(
            names = "--rate",
            defaultValue = "50",
            description = "Orders a second of the first part (${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seconds", defaultValue = "30", description = "How long the first part lasts (${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--orders", defaultValue = "4000", description = "Orders at full speed (${DEFAULT-VALUE}).")
    private int orders;

    @Option(names = "--clients", defaultValue = "64", description = "Clients at full speed (${DEFAULT-VALUE}).")
    private int clients;

    @Override
    public Integer call() throws SQLException {
        PaymentSystem system = Main.system();
        var services = new Services(system);
        Databases databases = system.databases();
        var target = new Target(
                services.address("order"),
                services.address("inventory"),
                services.address("account"),
                system.bootstrapServers(),
                Databases.SERVICES.stream()
                        .collect(Collectors.toMap(Function.identity(), name -> () -> databases.administer(name))),
                (merchant, scopes) -> services.token(merchant, List.of(scopes)),
                () -> system.states().stream()
                        .collect(Collectors.toMap(PaymentSystem.State::name, PaymentSystem.State::rssBytes)));
        return new Bench(target, Main.OUT::println).run(rate, seconds, orders, clients) ? 0 : 1;
    }
}
