package dev.paysaga.saga.relay;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a row back until its transaction can be seen by everybody.
 *
 * <p>PostgreSQL shows a commit to the readers of its log as soon as it is on disk, and to all others a moment later: after a
 * synchronous standby has answered, and after the committing process has had a processor for its last steps. On a busy machine
 * that is time enough for an event to go to another service and for the answer to come back; whoever it is for would find that
 * what it is about does not exist.
 */
final class Commits {

    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    /** Long enough for any commit that will ever end; a row that retention has dropped is never seen again. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final Connection connection;

    /** @param connection that commits each statement, so that each one sees what is new */
    Commits(Connection connection) {
        this.connection = connection;
    }

    void awaitVisible(List<OutboxRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        String[] ids = rows.stream().map(OutboxRow::id).distinct().toArray(String[]::new);
        long begin = System.nanoTime();
        while (visible(ids) < ids.length) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                LOG.warn("{} outbox rows are in the log and not in the table; they are sent all the same", ids.length);
                return;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new SQLException("interrupted while a commit became visible");
            }
            LockSupport.parkNanos(PAUSE);
        }
    }

    private int visible(String[] ids) throws SQLException {
        Array array = connection.createArrayOf("uuid", ids);
        try (PreparedStatement count =
                connection.prepareStatement("select count(distinct id) from outbox where id = any(?)")) {
            count.setArray(1, array);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        } finally {
            array.free();
        }
    }
}
