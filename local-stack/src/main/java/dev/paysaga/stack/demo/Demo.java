package dev.paysaga.stack.demo;

import dev.paysaga.reconciliation.Report;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Quiet;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** All scenarios, then the verdict. */
public final class Demo {

    /** Everything was waited for already; what is left is the last announcement on its way. */
    private static final Duration SETTLING = Duration.ofMinutes(2);

    private Demo() {}

    /** @return whether every scenario ended as it should and the books balance */
    public static boolean play(PaymentSystem system, PrintStream out) {
        List<Scenarios.Outcome> outcomes;
        try (var scenarios = new Scenarios(system, out)) {
            outcomes = scenarios.all();
        }
        out.printf("%n  Reconciliation%n");
        Quiet.Pending pending = system.quiet().await(SETTLING);
        if (!pending.none()) {
            out.println("  not quiet yet: " + pending);
        }
        Report report = Reconciliation.of(system);
        out.print(report.text());
        out.println();
        for (Scenarios.Outcome outcome : outcomes) {
            out.printf(
                    "  %s %-75s %5.1f s%n",
                    outcome.passed() ? "✓" : "✗", outcome.name(), outcome.took().toMillis() / 1e3);
        }
        return pending.none() && report.clean() && outcomes.stream().allMatch(Scenarios.Outcome::passed);
    }
}
