package dev.paysaga.reconciliation;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Compares what the four services state about themselves with each other, and with the topics. It changes nothing.
 *
 * <p>What cannot be judged yet is not: see {@link EventCheck}. So it may run under full load.
 */
public final class Comparison {

    /** Those that state something. */
    public static final List<String> SERVICES = List.of("order", "inventory", "account", "notification");

    private final Statements statements;
    private final EventLog log;
    private final Clock clock;

    public Comparison(Statements statements, EventLog log, Clock clock) {
        this.statements = statements;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Balances, shelves and suspense as a whole, then orders and events window by window, so that a system of any size needs
     * the memory of its largest window.
     *
     * @param windows that do not overlap
     * @throws StatementUnavailable if a service does not state what it has
     * @throws org.apache.kafka.common.KafkaException if the topics cannot be read
     */
    public Report run(Collection<Window> windows) {
        var findings = new Findings();
        var balances = new BalanceCheck(findings);
        balances.read(statements);
        for (Window window : new ArrayList<>(windows)) {
            EventLog.Progress before = log.progress();
            Books books = Books.of(statements, window);
            Set<String> moving = new EventCheck(books, before, log.read(window), clock.instant(), findings).run();
            new OrderCheck(books, moving, findings).run();
            balances.add(books.transfers);
        }
        balances.run();
        return findings.report();
    }
}
