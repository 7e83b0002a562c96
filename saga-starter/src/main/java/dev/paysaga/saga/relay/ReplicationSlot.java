package dev.paysaga.saga.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The place in the write-ahead log up to which the outbox has been read, kept by PostgreSQL. */
final class ReplicationSlot {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicationSlot.class);

    /** invalidation_reason came with PostgreSQL 17; through jsonb it is null before. */
    private static final String STATE = """
            select plugin, database = current_database() as here, active_pid,
                   coalesce(to_jsonb(slot) ->> 'invalidation_reason', case wal_status when 'lost' then 'lost' end) as lost
            from pg_replication_slots slot where slot_name = ?
            """;

    private final String name;

    ReplicationSlot(String name) {
        this.name = name;
    }

    /** What {@link #ensure} found. */
    enum Found {
        HEALTHY,
        MISSING,
        LOST
    }

    /**
     * Creates the slot if there is none and replaces it if it has lost its place. In both cases the log may have held rows
     * that nobody will read from it any more: they have to be sent by query.
     *
     * @throws SQLException if the database refuses
     * @throws IllegalStateException if the name belongs to something else
     */
    Found ensure(Connection connection) throws SQLException {
        State state = state(connection);
        if (state == null) {
            create(connection);
            return Found.MISSING;
        }
        if (!state.here() || !"pgoutput".equals(state.plugin())) {
            throw new IllegalStateException(
                    "The replication slot " + name + " belongs to another database or plugin of this"
                            + " server: give this service its own name with saga.relay.slot-name");
        }
        if (state.lost() == null) {
            return Found.HEALTHY;
        }
        LOG.error(
                "ALARM: the replication slot {} has lost its place ({}). It is replaced, and every retained outbox row"
                        + " that may not have been relayed is sent again",
                name,
                state.lost());
        terminateReader(connection, state);
        drop(connection);
        create(connection);
        return Found.LOST;
    }

    /**
     * Ends whoever reads the slot. Only the holder of the relay's lock may ask for it: a reader without the lock is one whose
     * process lost its connections or hangs.
     */
    void expelReader(Connection connection) throws SQLException {
        State state = state(connection);
        if (state != null) {
            terminateReader(connection, state);
        }
    }

    /** Bytes of write-ahead log the server keeps because of this slot; 0 if there is no slot. */
    long retainedBytes(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "select coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint"
                        + " from pg_replication_slots where slot_name = ?")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private @Nullable State state(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(STATE)) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? new State(row.getString(1), row.getBoolean(2), row.getInt(3), row.getString(4))
                        : null;
            }
        }
    }

    private void terminateReader(Connection connection, State state) throws SQLException {
        if (state.activePid() == 0) {
            return;
        }
        LOG.warn("Ending process {}, which still reads the replication slot {}", state.activePid(), name);
        // The second argument makes it wait, in milliseconds, until the process is gone.
        try (PreparedStatement terminate = connection.prepareStatement("select pg_terminate_backend(?, 3000)")) {
            terminate.setInt(1, state.activePid());
            terminate.execute();
        }
    }

    private void create(Connection connection) throws SQLException {
        try (PreparedStatement create =
                connection.prepareStatement("select pg_create_logical_replication_slot(?, 'pgoutput')")) {
            create.setString(1, name);
            create.execute();
            LOG.info("Created the replication slot {}", name);
        } catch (SQLException e) {
            // Another replica starts at the same time and was faster.
            if (!"42710".equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    private void drop(Connection connection) throws SQLException {
        try (PreparedStatement drop = connection.prepareStatement("select pg_drop_replication_slot(?)")) {
            drop.setString(1, name);
            drop.execute();
        } catch (SQLException e) {
            if (!PSQLState.UNDEFINED_OBJECT.getState().equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    private record State(
            @Nullable String plugin,
            boolean here,
            int activePid,
            @Nullable String lost) {}
}
