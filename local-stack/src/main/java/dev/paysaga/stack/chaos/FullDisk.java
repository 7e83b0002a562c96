package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Databases;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A disk without room for another outbox row. Filling a real one takes a file system of its own, and so root; here a trigger
 * raises what PostgreSQL raises then (SQLSTATE 53100, {@code disk_full}) for every row that is to be added. What PostgreSQL
 * itself does on a full volume (it stops when the write-ahead log cannot grow) is the fault {@link Fault#KILL}.
 */
final class FullDisk {

    private static final String FILL = """
            set lock_timeout = '5s';
            create or replace function chaos_full_disk() returns trigger language plpgsql as $$
            begin
                raise exception 'could not extend file "base/5/16999": No space left on device'
                    using errcode = 'disk_full', hint = 'Check free disk space.';
            end $$;
            create or replace trigger chaos_full_disk before insert on outbox
                for each statement execute function chaos_full_disk();
            """;

    private static final String CLEAN = """
            set lock_timeout = '5s';
            drop trigger if exists chaos_full_disk on outbox;
            drop function if exists chaos_full_disk();
            """;

    private FullDisk() {}

    static void fill(Databases databases, String service) throws SQLException {
        run(databases, service, FILL);
    }

    /** Makes room; harmless when there is. */
    static void clean(Databases databases, String service) throws SQLException {
        run(databases, service, CLEAN);
    }

    private static void run(Databases databases, String service, String sql) throws SQLException {
        try (Connection connection = databases.administer(service);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
