package dev.paysaga.stack;

import dev.paysaga.reconciliation.Report;
import dev.paysaga.stack.demo.Reconciliation;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Quiet;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "reconcile",
        description = "Compares what the services state about themselves, and the topics; exits 1 on any difference.")
final class ReconcileCommand extends Main.Action {

    @Option(
            names = "--wait",
            defaultValue = "30",
            paramLabel = "SECONDS",
            description = "Wait that long until nothing is on its way: what is, is not judged (${DEFAULT-VALUE}).")
    private int seconds;

    @Override
    public Integer call() {
        PaymentSystem system = Main.system();
        Quiet.Pending pending = system.quiet().await(Duration.ofSeconds(seconds));
        Report report = Reconciliation.of(system);
        if (!pending.none()) {
            Main.OUT.println("  still on its way, and not judged: " + pending);
        }
        Main.OUT.print(report.text());
        return report.clean() ? 0 : 1;
    }
}
