package dev.paysaga.stack;

import dev.paysaga.stack.bench.Bench;
import dev.paysaga.stack.bench.StormBench;
import dev.paysaga.stack.bench.Target;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Stack;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "bench",
        description = "Measures orders a second and latencies on the running stack, beside one database.",
        subcommands = BenchCommand.StormCommand.class)
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
        return new Bench(target(Main.system()), Main.OUT::println).run(rate, seconds, orders, clients) ? 0 : 1;
    }

    private static Target target(PaymentSystem system) {
        var services = new Services(system);
        Databases databases = system.databases();
        return new Target(
                services.address("order"),
                services.address("inventory"),
                services.address("account"),
                system.bootstrapServers(),
                Databases.SERVICES.stream()
                        .collect(Collectors.toMap(Function.identity(), name -> () -> databases.administer(name))),
                (merchant, scopes) -> services.token(merchant, List.of(scopes)),
                () -> system.states().stream()
                        .collect(Collectors.toMap(PaymentSystem.State::name, PaymentSystem.State::rssBytes)));
    }

    @Command(
            name = "storm",
            description =
                    "Measures what forward orders feel while thousands of compensations are worked off, on the running stack.")
    static final class StormCommand extends Main.Action {

        @Option(names = "--rate", defaultValue = "20", description = "Forward orders a second (${DEFAULT-VALUE}).")
        private int rate;

        @Option(
                names = "--refunds",
                defaultValue = "10000",
                description = "Refunds that wait when the storm begins (${DEFAULT-VALUE}).")
        private int refunds;

        @Override
        public Integer call() {
            Stack stack = Main.stack();
            return new StormBench(stack, target(stack), Main.OUT::println).run(rate, refunds) ? 0 : 1;
        }
    }
}
