package dev.paysaga.stack;

import dev.paysaga.stack.processes.PaymentSystem;
import java.io.PrintStream;
import java.util.List;

/** The processes as people read them. */
final class StatusTable {

    private static final int MEGABYTE = 1024 * 1024;

    private StatusTable() {}

    static void print(List<PaymentSystem.State> states, PrintStream out) {
        out.printf("  %-16s %-9s %6s %8s %9s%n", "process", "state", "port", "pid", "RSS");
        for (PaymentSystem.State state : states) {
            out.printf(
                    "  %-16s %-9s %6d %8s %6d MB%n",
                    state.name(),
                    state.state(),
                    state.port(),
                    state.pid() == null ? "-" : state.pid().toString(),
                    state.rssBytes() / MEGABYTE);
        }
        long total = states.stream().mapToLong(PaymentSystem.State::rssBytes).sum();
        out.printf("  %-16s %-9s %6s %8s %6d MB%n", "all together", "", "", "", total / MEGABYTE);
    }
}
