package dev.paysaga.saga.inbox;

import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.wire.RegistryUnavailable;
import dev.paysaga.wire.SchemaRefused;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

/**
 * Whose fault a failure is: the event's, which is parked, or the surroundings', which are waited for.
 *
 * <p>Only what certainly comes of an event's content may park it. A database that is away, read-only, full, deadlocked or
 * not migrated refuses every event alike; parking them would turn one fault into thousands of work orders.
 */
final class Faults {

    /** SQLSTATE classes: 22 data exception, 23 integrity constraint violation. What was to be written is at fault. */
    private static final String DATA_EXCEPTION = "22";

    private static final String INTEGRITY_VIOLATION = "23";

    private static final int LONGEST_REASON = 1_000;

    private Faults() {}

    /** Whether an event is at fault, as far as the failure can tell; everything else is worth waiting for. */
    static boolean ofAnEvent(Throwable failure) {
        boolean database = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DataIntegrityViolationException || isAboutContent(cause)) {
                return true;
            }
            database |= isOfTheSurroundings(cause);
        }
        return !database;
    }

    private static boolean isAboutContent(Throwable failure) {
        return failure instanceof SQLException e
                && e.getSQLState() != null
                && (e.getSQLState().startsWith(DATA_EXCEPTION)
                        || e.getSQLState().startsWith(INTEGRITY_VIOLATION));
    }

    private static boolean isOfTheSurroundings(Throwable failure) {
        return failure instanceof DataAccessException
                || failure instanceof SQLException
                || failure instanceof TransactionException
                || failure instanceof RegistryUnavailable
                || failure instanceof SchemaRefused
                || failure instanceof KafkaException
                || failure instanceof IOException
                || failure instanceof TimeoutException
                || failure instanceof InterruptedException;
    }

    /** In plain words, without stack traces. */
    static String reason(Throwable failure) {
        String words = failure instanceof ImpossibleTransition
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName() + ": " + failure.getMessage();
        return words.length() <= LONGEST_REASON ? words : words.substring(0, LONGEST_REASON) + "…";
    }
}
