package dev.paysaga.saga.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The proof of what has been relayed, and of how long that took.
 *
 * <p>The leader writes marks into the write-ahead log, each with the oldest transaction id then still open
 * ({@code pg_snapshot_xmin}). Every transaction below it has its commit in the log before the mark. So when a mark comes back
 * through the change stream and everything before it is acknowledged by Kafka, each of those transactions has been relayed:
 * the mark becomes the watermark. Ids or times could not prove that, since neither commits in order.
 *
 * <p>Marks also move the slot when the outbox is idle and others write to the same server.
 */
final class Watermark {

    /** Prefix of the marks among the log's messages. */
    static final String PREFIX = "paysaga-watermark";

    /** A transaction id moves on by itself; rewriting the watermark that seldom is no churn and keeps it from ageing. */
    private static final long SELDOM = 1_000_000;

    private final JdbcClient jdbc;
    private long stored = -1;

    /** Whether rows may have been relayed that the stored watermark does not cover. Unknown at first. */
    private boolean behind = true;

    /** @param jdbc of the application's role, which owns the state; the relay's role cannot write */
    Watermark(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A mark as it travels.
     *
     * @param xmin every transaction below it is in the log before the mark
     * @param term of leadership in which it was written
     * @param nanos {@link System#nanoTime} of that leader when it wrote the mark
     */
    record Mark(long xmin, String term, long nanos) {

        static Mark parse(String text) {
            String[] parts = text.split(" ");
            return new Mark(Long.parseUnsignedLong(parts[0]), parts[1], Long.parseLong(parts[2]));
        }
    }

    /** Writes a mark; non-transactional, so it is in the log at once. */
    static void mark(Connection connection, String term, long nanos) throws SQLException {
        try (PreparedStatement emit = connection.prepareStatement(
                "select pg_logical_emit_message(false, ?, pg_snapshot_xmin(pg_current_snapshot())::text || ?)")) {
            emit.setString(1, PREFIX);
            emit.setString(2, " " + term + " " + nanos);
            emit.execute();
        }
    }

    /** Rows were relayed: the next mark has something to prove. */
    void rowsRelayed() {
        behind = true;
    }

    /** A mark came back and everything before it is acknowledged. Writes only if that says something new about rows. */
    void reached(Mark mark) {
        boolean news = behind && mark.xmin() > stored || mark.xmin() > stored + SELDOM;
        if (!news) {
            return;
        }
        List<Boolean> rowsAbove = jdbc.sql("""
                        update relay_state set watermark = greatest(watermark, :xmin::xid8), updated_at = now() where id = 1
                        returning exists (select from outbox where tx >= :xmin::xid8)
                        """)
                .param("xmin", Long.toUnsignedString(mark.xmin()))
                .query((row, n) -> row.getBoolean(1))
                .list();
        if (rowsAbove.isEmpty()) {
            throw new IllegalStateException("relay_state has lost its row: insert (watermark) values ('0') to send all"
                    + " retained outbox rows again");
        }
        stored = mark.xmin();
        behind = rowsAbove.getFirst();
    }

    /** Counts rows that were sent by query. */
    void healed(long rows) {
        jdbc.sql("update relay_state set healed_rows = healed_rows + ? where id = 1")
                .param(rows)
                .update();
    }
}
