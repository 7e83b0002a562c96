package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.StackFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Who relays a service's outbox: who holds the leader's lock, and who reads the slot. Sessions are known by their numbers. */
final class RelayWatch implements AutoCloseable {

    private static final String LOOK = """
            select (select pid
                      from pg_locks
                     where locktype = 'advisory' and granted and classid::bigint = 1398892385
                       and database = (select oid from pg_database where datname = current_database())),
                   (select active_pid from pg_replication_slots where slot_name = 'paysaga_outbox')
            """;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Fine enough for something that takes tenths of a second. */
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(10);

    /** The server notices within this time that a process has ended. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private record Relay(@Nullable Integer leader, @Nullable Integer reader) {}

    private final String service;
    private final Connection connection;

    /** @throws SQLException if the database does not answer */
    RelayWatch(Databases databases, String service) throws SQLException {
        this.service = service;
        this.connection = databases.administer(service);
    }

    /** What is known before a replica stops, and what comes of it. */
    final class Term {

        private final Relay before;
        private final long begin;

        private Term(Relay before) {
            this.before = before;
            this.begin = System.nanoTime();
        }

        /**
         * Watches until another replica relays, or the one that stops has stopped and nothing changed.
         *
         * @return empty if it was not the leader
         * @throws StackFailure if nobody takes over
         */
        Optional<HandOver> watch(BooleanSupplier stopped) {
            @Nullable Duration released = null;
            @Nullable Duration over = null;
            for (Duration now = since(); now.compareTo(PATIENCE) < 0; now = since()) {
                if (over == null && stopped.getAsBoolean()) {
                    over = now;
                }
                Relay relay = look();
                if (released == null && !Objects.equals(relay.leader(), before.leader())) {
                    released = since();
                }
                if (released != null
                        && relay.reader() != null
                        && !relay.reader().equals(before.reader())) {
                    return Optional.of(new HandOver(released, since()));
                }
                if (released == null && over != null && now.minus(over).compareTo(NOTICED) > 0) {
                    return Optional.empty();
                }
                LockSupport.parkNanos(INTERVAL);
            }
            throw new StackFailure("Nobody relays the outbox of " + service + ".");
        }

        private Duration since() {
            return Duration.ofNanos(System.nanoTime() - begin);
        }
    }

    /** Waits until somebody relays, and begins to measure. */
    Term begin() {
        Await.until("the outbox of " + service + " is relayed", (int) PATIENCE.toSeconds(), () -> {
            Relay relay = look();
            return relay.leader() != null && relay.reader() != null;
        });
        return new Term(look());
    }

    private Relay look() {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(LOOK)) {
            row.next();
            return new Relay(row.getObject(1, Integer.class), row.getObject(2, Integer.class));
        } catch (SQLException e) {
            throw new StackFailure("Cannot see who relays the outbox of " + service + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new StackFailure("Cannot leave the database of " + service + ": " + e.getMessage(), e);
        }
    }
}
