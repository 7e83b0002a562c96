package dev.paysaga.saga.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(Watermark.class);

    private static final String RAISE = """
            update relay_state set watermark = greatest(watermark, ?::xid8), updated_at = now() where id = 1
            returning exists (select from outbox where tx >= ?::xid8)
            """;

    /** Prefix of the marks among the log's messages. */
    static final String PREFIX = "paysaga-watermark";

    /** A transaction id moves on by itself; rewriting the watermark that seldom is no churn and keeps it from ageing. */
    private static final long SELDOM = 1_000_000;

    private final Connection connection;
    private long stored = -1;

    /** Whether rows may have been relayed that the stored watermark does not cover. Unknown at first. */
    private boolean behind = true;

    /**
     * @param connection of the application's role, which owns the state, as the relay's role cannot write; in no pool, so that
     *     relaying waits for nobody's business
     */
    Watermark(Connection connection) {
        this.connection = connection;
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

    /**
     * A watermark above every transaction there ever was comes from another server, with a dump: nothing is proven by it, and
     * everything retained is sent again.
     */
    void distrustWhatCannotBe() throws SQLException {
        try (PreparedStatement reset = connection.prepareStatement(
                "update relay_state set watermark = '0' where watermark > pg_snapshot_xmax(pg_current_snapshot())")) {
            if (reset.executeUpdate() > 0) {
                LOG.error(
                        "ALARM: the watermark lay in the future, as after a restored dump; every retained row is sent again");
            }
        }
    }

    /** A mark came back and everything before it is acknowledged. Writes only if that says something new about rows. */
    void reached(Mark mark) throws SQLException {
        boolean news = behind && mark.xmin() > stored || mark.xmin() > stored + SELDOM;
        if (!news) {
            return;
        }
        try (PreparedStatement raise = connection.prepareStatement(RAISE)) {
            String xmin = Long.toUnsignedString(mark.xmin());
            raise.setString(1, xmin);
            raise.setString(2, xmin);
            try (ResultSet row = raise.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException(
                            "relay_state has lost its row: insert into relay_state (watermark) values"
                                    + " ('0') to send all retained outbox rows again");
                }
                behind = row.getBoolean(1);
            }
        }
        stored = mark.xmin();
    }

    /** Counts rows that were sent by query. */
    void healed(long rows) throws SQLException {
        try (PreparedStatement count =
                connection.prepareStatement("update relay_state set healed_rows = healed_rows + ? where id = 1")) {
            count.setLong(1, rows);
            count.executeUpdate();
        }
    }
}
