package dev.paysaga.saga.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * Sends, by query, every outbox row that may not have been relayed: those of transactions at or above the watermark. One path
 * for every way in which rows can miss the log: a slot that was dropped, recreated, moved or lost, or that came after them.
 *
 * <p>Ordered by {@code seq}, which is the order of commits for the rows of one aggregate: they are inserted while its row is
 * locked, so the second transaction draws its numbers after the first has committed. All rows come from one snapshot, and a
 * row's predecessors on its key are visible in any snapshot that shows the row.
 */
final class BackFill {

    private static final String UNPROVEN =
            "select " + OutboxRow.COLUMNS + " from outbox where tx >= (select watermark from relay_state) order by seq";

    private static final int ROWS_AT_A_TIME = 2_000;

    /** Ids kept so that the log need not send them a second time; more would only cost memory, receivers drop repeats. */
    private static final int REMEMBERED = 200_000;

    private final RelayDatabase database;
    private final Publisher publisher;
    private final Set<String> sent = new HashSet<>();

    BackFill(RelayDatabase database, Publisher publisher) {
        this.database = database;
        this.publisher = publisher;
    }

    /**
     * Runs while our own reader holds the slot: from then on nobody else can drop or move it, so that what is not sent here
     * comes through the log.
     *
     * @return how many rows were sent and acknowledged
     * @throws SQLException if the database fails
     */
    long run() throws SQLException {
        long rows = 0;
        try (Connection connection = database.connect("relay back-fill")) {
            // Only inside a transaction does the driver fetch in portions.
            connection.setAutoCommit(false);
            try (PreparedStatement query = connection.prepareStatement(UNPROVEN)) {
                query.setFetchSize(ROWS_AT_A_TIME);
                try (ResultSet result = query.executeQuery()) {
                    while (result.next()) {
                        OutboxRow row = OutboxRow.read(result);
                        publisher.send(row);
                        if (sent.size() < REMEMBERED) {
                            sent.add(row.id());
                        }
                        if (++rows % ROWS_AT_A_TIME == 0) {
                            publisher.awaitAcknowledgements();
                        }
                    }
                }
            }
        }
        publisher.awaitAcknowledgements();
        return rows;
    }

    /** Whether this row, read from the log, has been sent and acknowledged already. */
    boolean hasSent(String id) {
        return !sent.isEmpty() && sent.contains(id);
    }

    /** The log has come to a place after everything sent here. */
    void forget() {
        sent.clear();
    }
}
