package dev.paysaga.stack.demo;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.reconciliation.Comparison;
import dev.paysaga.reconciliation.KafkaLog;
import dev.paysaga.reconciliation.Report;
import dev.paysaga.reconciliation.StatementUnavailable;
import dev.paysaga.reconciliation.Statements;
import dev.paysaga.reconciliation.Window;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/** The books of a running system, compared. Nothing is needed but a token: no database is looked into. */
public final class Reconciliation {

    private Reconciliation() {}

    /**
     * Asks all services for their statements, reads all topics, and compares them.
     *
     * @throws StackFailure when one of them does not answer
     */
    public static Report of(PaymentSystem system) {
        var services = new Services(system);
        String token = services.token(null, List.of("ops"));
        var statements = new Statements(
                Comparison.SERVICES.stream()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                service -> services.address(service).resolve("/"))),
                () -> token);
        var log = new KafkaLog(system.bootstrapServers(), PaymentSaga.topics());
        try {
            return new Comparison(statements, log, Clock.systemUTC()).run(List.of(Window.ALL));
        } catch (StatementUnavailable | KafkaException e) {
            throw new StackFailure("Cannot read the books: " + e.getMessage() + ". See ./paysaga status", e);
        }
    }
}
