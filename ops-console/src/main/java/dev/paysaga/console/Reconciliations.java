package dev.paysaga.console;

import dev.paysaga.reconciliation.Report;
import dev.paysaga.saga.EventIds;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reconciliations, done and wanted. However many replicas there are, one is under way at a time. */
@Component
class Reconciliations {

    private static final TypeReference<Map<String, Long>> COUNTS = new TypeReference<>() {};

    private final JdbcOperations jdbc;
    private final JsonMapper json;
    private final ConsoleProperties properties;

    Reconciliations(JdbcOperations jdbc, JsonMapper json, ConsoleProperties properties) {
        this.jdbc = jdbc;
        this.json = json;
        this.properties = properties;
    }

    /**
     * A reconciliation.
     *
     * @param whole it looks at everything, not only at what is recent
     * @param requestedBy null: the schedule
     * @param found how many differences; null until it is done
     * @param failure why it could not be done
     */
    record Run(
            UUID reconciliationId,
            boolean whole,
            String status,
            @Nullable String requestedBy,
            Instant requestedAt,
            @Nullable Instant finishedAt,
            Map<String, Long> counts,
            @Nullable Integer found,
            @Nullable String failure) {}

    /** Wants one of everything, soon. */
    Run request(String by) {
        UUID id = EventIds.next(System.currentTimeMillis());
        jdbc.update(
                "insert into reconciliations (id, whole, requested_by, status) values (?, true, ?, 'REQUESTED')",
                id,
                by);
        return find(id).orElseThrow();
    }

    Optional<Run> find(UUID id) {
        return jdbc.query("select * from reconciliations where id = ?", this::run, id).stream()
                .findFirst();
    }

    /** The last one that came to an end. */
    Optional<Run> latest() {
        return jdbc
                .query(
                        "select * from reconciliations where finished_at is not null order by finished_at desc limit 1",
                        this::run)
                .stream()
                .findFirst();
    }

    /** Takes one that is wanted or due, unless one is under way. One that has not ended after ten minutes is dead. */
    @Transactional
    public Optional<Run> take() {
        jdbc.query("select pg_advisory_xact_lock('reconciliations'::regclass::oid::bigint)", row -> {});
        jdbc.update("""
                update reconciliations set status = 'FAILED', finished_at = now(), failure = 'it did not come to an end'
                 where status = 'RUNNING' and started_at < now() - interval '10 minutes'
                """);
        jdbc.update(
                """
                insert into reconciliations (id, whole, status)
                select ?, not exists (select from reconciliations
                                       where whole and status = 'DONE'
                                         and finished_at > now() - ? * interval '1 millisecond'), 'REQUESTED'
                 where not exists (select from reconciliations
                                    where status in ('REQUESTED', 'RUNNING')
                                       or requested_at > now() - ? * interval '1 millisecond')
                """,
                EventIds.next(System.currentTimeMillis()),
                properties.wholeEvery().toMillis(),
                properties.every().toMillis());
        return jdbc.query("""
                        update reconciliations set status = 'RUNNING', started_at = now()
                         where id = (select id from reconciliations where status = 'REQUESTED' order by requested_at limit 1)
                           and not exists (select from reconciliations where status = 'RUNNING')
                        returning *
                        """, this::run).stream().findFirst();
    }

    /** To be called in the transaction that keeps what was found. */
    void done(Run run, Report report) {
        jdbc.update(
                "update reconciliations set status = 'DONE', finished_at = now(), counts = ?::jsonb, found = ? where id = ?",
                json.writeValueAsString(report.counts()),
                report.differences().size(),
                run.reconciliationId());
        jdbc.update("delete from reconciliations where finished_at < now() - interval '30 days'");
    }

    void failed(Run run, String why) {
        jdbc.update(
                "update reconciliations set status = 'FAILED', finished_at = now(), failure = ? where id = ?",
                why,
                run.reconciliationId());
    }

    private Run run(ResultSet row, int number) throws SQLException {
        String counts = row.getString("counts");
        return new Run(
                row.getObject("id", UUID.class),
                row.getBoolean("whole"),
                row.getString("status"),
                row.getString("requested_by"),
                row.getObject("requested_at", OffsetDateTime.class).toInstant(),
                instant(row.getObject("finished_at", OffsetDateTime.class)),
                counts == null ? Map.of() : json.readValue(counts, COUNTS),
                row.getObject("found", Integer.class),
                row.getString("failure"));
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
