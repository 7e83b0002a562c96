package dev.paysaga.stack.demo;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.stack.audit.Auditor;
import dev.paysaga.stack.audit.PublishedEvents;
import dev.paysaga.stack.audit.Report;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import java.sql.SQLException;
import org.apache.kafka.common.KafkaException;

/** The auditor, let loose on the running stack. */
public final class Reconciliation {

    private Reconciliation() {}

    /**
     * Reads all databases and all topics and compares them.
     *
     * @throws StackFailure when one of them does not answer
     */
    public static Report of(PaymentSystem system) {
        Databases databases = system.databases();
        try {
            return Auditor.audit(
                    () -> databases.connect("order"),
                    () -> databases.connect("inventory"),
                    () -> databases.connect("account"),
                    () -> databases.connect("notification"),
                    PublishedEvents.ids(system.bootstrapServers(), PaymentSaga.topics()));
        } catch (SQLException | KafkaException e) {
            throw new StackFailure("Cannot read the books: " + e.getMessage() + ". See ./paysaga status", e);
        }
    }
}
