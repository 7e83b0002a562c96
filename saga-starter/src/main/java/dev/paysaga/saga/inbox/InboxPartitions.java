package dev.paysaga.saga.inbox;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The inbox by days (UTC) of the sagas' starts, which are in the first bits of their events' ids: created ahead, dropped as
 * wholes. Ids without a time in them, and late events of old sagas, are in the default partition and leave it by age.
 */
final class InboxPartitions {

    /** Sagas that began before midnight, or before this service was first started, and clocks that are behind. */
    private static final int DAYS_BEHIND = 1;

    /** As long as maintenance may fail before rows go to the default partition. */
    private static final int DAYS_AHEAD = 3;

    /** Less than anybody notices: dropping needs the whole inbox for a moment, and whoever waits makes others wait. */
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);

    /** Rows deleted from the default partition at once: short transactions, small log. */
    private static final int DELETE_BATCH = 5_000;

    private static final String PREFIX = "inbox_day_";

    private static final Logger log = LoggerFactory.getLogger(InboxPartitions.class);

    private final JdbcOperations jdbc;
    private final TransactionOperations transaction;
    private final Duration retention;

    InboxPartitions(JdbcOperations jdbc, TransactionOperations transaction, Duration retention) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.retention = retention;
    }

    /** One round: partitions for the days around now, and nothing that is past the retention. */
    void maintain() {
        Instant now = jdbc.queryForObject(
                "select now()", (row, n) -> row.getTimestamp(1).toInstant());
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        List<String> existing = days();
        Stream.iterate(today.minusDays(DAYS_BEHIND), day -> day.plusDays(1))
                .limit(DAYS_BEHIND + 1 + DAYS_AHEAD)
                .filter(day -> !existing.contains(nameOf(day)))
                .forEach(this::create);
        String oldestKept = nameOf(LocalDate.ofInstant(now.minus(retention), ZoneOffset.UTC));
        existing.stream().filter(name -> name.compareTo(oldestKept) < 0).forEach(this::drop);
        ageDefault();
    }

    /** The partitions there are, oldest first. */
    List<String> days() {
        return jdbc.query("""
                select child.relname from pg_inherits
                join pg_class child on child.oid = inhrelid
                where inhparent = 'inbox'::regclass and child.relname like ?
                order by 1
                """, (row, n) -> row.getString(1), PREFIX.replace("_", "\\_") + "%");
    }

    static String nameOf(LocalDate day) {
        return PREFIX + day.format(DateTimeFormatter.BASIC_ISO_DATE);
    }

    /** The smallest id that begins with this time. */
    static UUID lowerBound(LocalDate day) {
        return new UUID(day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli() << 16, 0);
    }

    private void create(LocalDate day) {
        attempt(
                "create",
                nameOf(day),
                "create table if not exists %s partition of inbox for values from ('%s') to ('%s')"
                        .formatted(nameOf(day), lowerBound(day), lowerBound(day.plusDays(1))));
    }

    private void drop(String partition) {
        attempt("drop", partition, "drop table " + partition);
    }

    private void ageDefault() {
        int deleted;
        do {
            deleted = jdbc.update("""
                    delete from inbox_default where ctid = any(array(
                        select ctid from inbox_default where received_at < now() - make_interval(secs => ?) limit ?))
                    """, (double) retention.toSeconds(), DELETE_BATCH);
        } while (deleted == DELETE_BATCH);
    }

    private void attempt(String verb, String partition, String sql) {
        try {
            transaction.executeWithoutResult(status -> {
                jdbc.execute("set local lock_timeout = " + LOCK_TIMEOUT.toMillis());
                jdbc.execute(sql);
            });
            log.info("Inbox maintenance: {} {}", verb, partition);
        } catch (DataAccessException e) {
            log.warn("Inbox maintenance could not {} {} and will try again: {}", verb, partition, e.getMessage());
        }
    }
}
