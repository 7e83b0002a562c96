package dev.paysaga.saga.outbox;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The outbox by days (UTC): created ahead, dropped as wholes, since dropping a table costs nothing and deleting its rows
 * costs as much as writing them did.
 *
 * <p>Both need the whole outbox for a moment. They give up after {@link #LOCK_TIMEOUT} and are tried again by the next
 * round, because whoever waits for that lock makes every writer wait behind it.
 */
final class OutboxPartitions {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxPartitions.class);

    /** Yesterday, for a transaction that has been open since before midnight. */
    private static final int DAYS_BEHIND = 1;

    /** As long as maintenance may fail before rows go to the default partition. */
    private static final int DAYS_AHEAD = 3;

    /** Less than anybody notices: the time a writer may have to wait because of maintenance. */
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);

    /** Key of the advisory lock: "Outb" in ASCII. */
    private static final int MAINTENANCE = 0x4f757462;

    private static final String PREFIX = "outbox_day_";
    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final Duration retention;

    OutboxPartitions(JdbcClient jdbc, TransactionOperations transactions, Duration retention) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.retention = retention;
    }

    /** One round: partitions for the days around now, and none that is past the retention and relayed. */
    void maintain() {
        Instant now = jdbc.sql("select now()")
                .query((row, n) -> row.getTimestamp(1).toInstant())
                .single();
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        List<String> existing = days();
        Stream.iterate(today.minusDays(DAYS_BEHIND), day -> day.plusDays(1))
                .limit(DAYS_BEHIND + 1 + DAYS_AHEAD)
                .filter(day -> !existing.contains(nameOf(day)))
                .forEach(this::create);
        String oldestKept = nameOf(LocalDate.ofInstant(now.minus(retention), ZoneOffset.UTC));
        existing.stream().filter(name -> name.compareTo(oldestKept) < 0).forEach(this::drop);
        emptyDefault();
    }

    /** The partitions there are, oldest first. */
    List<String> days() {
        return jdbc.sql("""
                        select child.relname from pg_inherits
                        join pg_class child on child.oid = inhrelid
                        where inhparent = 'outbox'::regclass and child.relname like ? order by 1
                        """)
                .param(PREFIX.replace("_", "\\_") + "%")
                .query((row, n) -> row.getString(1))
                .list();
    }

    static String nameOf(LocalDate day) {
        return PREFIX + day.format(DAY);
    }

    private void create(LocalDate day) {
        attempt("create", nameOf(day), () -> {
            jdbc.sql(
                            "create table if not exists %s partition of outbox for values from ('%sT00:00:00Z') to ('%sT00:00:00Z')"
                                    .formatted(nameOf(day), day, day.plusDays(1)))
                    .update();
            return true;
        });
    }

    /** Only rows below the watermark are known to be in Kafka. */
    private void drop(String partition) {
        attempt("drop", partition, () -> {
            boolean relayed = jdbc.sql(
                            "select not exists (select from %s where tx >= (select watermark from relay_state))"
                                    .formatted(partition))
                    .query(Boolean.class)
                    .single();
            if (!relayed) {
                LOG.warn("Partition {} is past its retention and stays: not all of it has been relayed", partition);
                return false;
            }
            jdbc.sql("drop table if exists " + partition).update();
            return true;
        });
    }

    /** Usually nothing: rows are here only if no partition was there for their day. */
    private void emptyDefault() {
        jdbc.sql("""
                        delete from outbox_default
                        where created_at < now() - make_interval(secs => ?) and tx < (select watermark from relay_state)
                        """).param(retention.toSeconds()).update();
    }

    private void attempt(String verb, String partition, java.util.function.BooleanSupplier work) {
        try {
            Boolean done = transactions.execute(status -> {
                // Replicas do this one after the other; nobody else waits for this lock.
                jdbc.sql("select pg_advisory_xact_lock(?, 0)")
                        .param(MAINTENANCE)
                        .query()
                        .singleRow();
                jdbc.sql("set local lock_timeout = " + LOCK_TIMEOUT.toMillis()).update();
                return work.getAsBoolean();
            });
            if (Boolean.TRUE.equals(done)) {
                LOG.info("Outbox maintenance: {} {}", verb, partition);
            }
        } catch (DataAccessException e) {
            String reason = e.getMostSpecificCause().getMessage();
            LOG.warn("Outbox maintenance could not {} {} and will try again: {}", verb, partition, reason);
        }
    }
}
