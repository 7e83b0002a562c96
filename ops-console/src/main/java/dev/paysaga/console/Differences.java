package dev.paysaga.console;

import dev.paysaga.reconciliation.Difference;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.Operations;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What reconciliations have found. One that is found again later is reported: it gets a work order, once. One that is gone is
 * closed, and its work order with it. A decision is about the amount that it was told: of another amount, the difference is
 * another one, and asked about anew. As long as nobody has decided, its work order tells the latest amount.
 */
@Component
final class Differences {

    static final String WORK_ORDER_KIND = "RECONCILIATION_DIFFERENCE";
    static final String GONE = "SETTLED";

    private static final String COLUMNS =
            "id, rule, subject, detail, about, merchant_id, currency, amount, first_seen_at, reported_at";

    private static final String ROW = "select " + COLUMNS + " from differences";

    private final JdbcOperations jdbc;
    private final WorkOrders workOrders;
    private final Outbox outbox;
    private final Operations words;
    private final ConsoleProperties properties;

    Differences(
            JdbcOperations jdbc,
            WorkOrders workOrders,
            Outbox outbox,
            EventCatalog language,
            ConsoleProperties properties) {
        this.jdbc = jdbc;
        this.workOrders = workOrders;
        this.outbox = outbox;
        this.words = language.operations();
        this.properties = properties;
    }

    /**
     * A difference that is there.
     *
     * @param id also its work order's
     * @param about the order or event concerned, or a derived id
     * @param reportedAt null while it was seen only once
     */
    record Found(
            UUID id,
            String rule,
            String subject,
            String detail,
            UUID about,
            @Nullable String merchantId,
            @Nullable String currency,
            @Nullable Long amount,
            Instant firstSeenAt,
            @Nullable Instant reportedAt) {}

    /**
     * Takes in what one reconciliation found. To be called in a transaction.
     *
     * @param from what is about older sagas was not looked at; null if everything was
     */
    void take(List<Difference> found, @Nullable Instant from) {
        var now = new ArrayList<UUID>();
        for (Difference difference : found) {
            now.add(see(difference));
        }
        gone(now, from).forEach(this::close);
        due().forEach(this::report);
    }

    /** Those that are there, oldest first. */
    List<Found> open() {
        return jdbc.query(ROW + " where gone_at is null order by first_seen_at, id", Differences::found);
    }

    /** Forgets those that have been gone for long; their work orders stay. */
    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void forget() {
        jdbc.update("delete from differences where gone_at < now() - make_interval(secs => ?)", (double)
                properties.keepEvents().toSeconds());
    }

    Optional<Found> find(UUID id) {
        return jdbc.query(ROW + " where id = ?", Differences::found, id).stream()
                .findFirst();
    }

    /** How many of them are reported. */
    long reported() {
        return Objects.requireNonNull(jdbc.queryForObject(
                "select count(*) from differences where gone_at is null and reported_at is not null", Long.class));
    }

    private UUID see(Difference difference) {
        List<Found> asked = askedOtherwise(difference);
        asked.stream().filter(this::isDecided).forEach(this::leave);
        Found seen = put(difference);
        if (!asked.isEmpty()) {
            workOrders.amend(seen.id(), sentence(seen));
        }
        return seen.id();
    }

    /** What a person was asked about it, if that was another amount. */
    private List<Found> askedOtherwise(Difference difference) {
        return jdbc.query(
                ROW + " where rule = ? and subject = ? and gone_at is null and reported_at is not null"
                        + " and amount is distinct from ?",
                Differences::found,
                difference.rule(),
                difference.subject(),
                difference.amount());
    }

    /** Nobody decides until this transaction has ended. */
    private boolean isDecided(Found difference) {
        return workOrders.lock(difference.id()).filter(order -> !order.isOpen()).isPresent();
    }

    private Found put(Difference difference) {
        long now = Objects.requireNonNull(
                jdbc.queryForObject("select (extract(epoch from now()) * 1000)::bigint", Long.class));
        String name = difference.rule() + " " + difference.subject();
        UUID about = difference.id() == null ? EventIds.named(0, difference.subject()) : difference.id();
        Instant since = difference.since();
        return Objects.requireNonNull(jdbc.queryForObject(
                """
                insert into differences as d (id, rule, subject, detail, about, since, merchant_id, currency, amount)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?)
                on conflict (rule, subject) where gone_at is null
                do update set detail = excluded.detail, amount = excluded.amount, seen = d.seen + 1
                returning %s
                """.formatted(COLUMNS),
                Differences::found,
                EventIds.named(now, name),
                difference.rule(),
                difference.subject(),
                difference.detail(),
                about,
                since == null ? null : since.atOffset(ZoneOffset.UTC),
                difference.merchantId(),
                difference.currency(),
                difference.amount()));
    }

    private List<Found> gone(List<UUID> seen, @Nullable Instant from) {
        return jdbc.query(
                ROW
                        + " where gone_at is null and id <> all(?) and (?::timestamptz is null or since is null or since >= ?)",
                Differences::found,
                seen.toArray(UUID[]::new),
                from == null ? null : from.atOffset(ZoneOffset.UTC),
                from == null ? null : from.atOffset(ZoneOffset.UTC));
    }

    private void leave(Found difference) {
        jdbc.update("update differences set gone_at = now() where id = ?", difference.id());
    }

    private void close(Found difference) {
        leave(difference);
        var how = new Resolution(GONE, "console", "The difference is gone.");
        workOrders.find(difference.id()).filter(WorkOrder::isOpen).ifPresent(order -> {
            workOrders.resolve(order.id(), how);
            words.resolved(order.answeredBy(how)).ifPresent(event -> announce(order.id(), event));
        });
    }

    private List<Found> due() {
        Duration settling = properties.settling();
        return jdbc.query(ROW + """
                 where gone_at is null and reported_at is null and seen > 1
                   and first_seen_at <= now() - ? * interval '1 millisecond'
                """, Differences::found, settling.toMillis());
    }

    private void report(Found difference) {
        jdbc.update("update differences set reported_at = now() where id = ?", difference.id());
        var order = WorkOrder.about(
                difference.id(), WORK_ORDER_KIND, difference.about(), difference.merchantId(), sentence(difference));
        if (workOrders.open(order)) {
            words.opened(order.question()).ifPresent(event -> announce(order.id(), event));
        }
    }

    private static String sentence(Found difference) {
        return difference.rule() + " " + difference.subject() + ": " + difference.detail()
                + (difference.amount() == null ? "" : ". Off by " + difference.amount())
                + (difference.currency() == null ? "" : " " + difference.currency())
                + ". It closes by itself when the difference is gone; WRITE_OFF accepts it as it is"
                + (difference.currency() == null && difference.amount() != null
                        ? "."
                        : ", POST_TO_SUSPENSE has account-service post what an account has too much, or lacks, to suspense.");
    }

    private void announce(UUID cause, SpecificRecord event) {
        outbox.append(new Announcement(cause, List.of(event), null));
    }

    private static Found found(ResultSet row, int number) throws SQLException {
        OffsetDateTime reported = row.getObject(10, OffsetDateTime.class);
        return new Found(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getObject(5, UUID.class),
                row.getString(6),
                row.getString(7),
                row.getObject(8, Long.class),
                row.getObject(9, OffsetDateTime.class).toInstant(),
                reported == null ? null : reported.toInstant());
    }
}
