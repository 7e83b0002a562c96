package dev.paysaga.saga.workorder;

import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrder.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/** The work orders of this service, in its own database. Opened and resolved in the caller's transaction. */
public final class WorkOrders {

    private static final String OPEN = """
            insert into work_orders (id, kind, aggregate_id, merchant_id, refund_no, currency, amount, detail, status)
            select w.*, 'OPEN'
            from unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[]) w
            on conflict do nothing
            returning id
            """;

    private final JdbcOperations jdbc;

    public WorkOrders(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Opens a work order, unless one with this id is there already, open or resolved.
     *
     * @return whether it was opened now
     */
    public boolean open(WorkOrder order) {
        return !openAll(List.of(order)).isEmpty();
    }

    /**
     * Opens these work orders with one statement, except those whose ids are there already, open or resolved.
     *
     * @return those that were opened now
     */
    public List<WorkOrder> openAll(List<WorkOrder> orders) {
        if (orders.isEmpty()) {
            return List.of();
        }
        Set<UUID> opened = new HashSet<>(jdbc.query(
                OPEN,
                (row, n) -> row.getObject(1, UUID.class),
                column(orders, WorkOrder::id, UUID[]::new),
                column(orders, WorkOrder::kind, String[]::new),
                column(orders, WorkOrder::aggregateId, UUID[]::new),
                column(orders, WorkOrder::merchantId, String[]::new),
                column(orders, WorkOrder::refundNo, String[]::new),
                column(orders, WorkOrder::currency, String[]::new),
                column(orders, WorkOrder::amount, Long[]::new),
                column(orders, WorkOrder::detail, String[]::new)));
        return orders.stream().filter(order -> opened.remove(order.id())).toList();
    }

    /**
     * Resolves a work order; the first decision counts.
     *
     * @return whether it was resolved now; false if there is none with this id, or it was resolved before
     */
    public boolean resolve(UUID id, Resolution resolution) {
        return jdbc.update("""
                        update work_orders
                        set status = 'RESOLVED', resolved_at = now(), action = ?, actor = ?, note = ?, version = version + 1
                        where id = ? and status = 'OPEN'
                        """, resolution.action(), resolution.actor(), resolution.note(), id) == 1;
    }

    /** Says anew what an open work order is about; nothing, if there is none with this id, or it is resolved. */
    public void amend(UUID id, String detail) {
        jdbc.update(
                "update work_orders set detail = ?, version = version + 1 where id = ? and status = 'OPEN'",
                detail,
                id);
    }

    public Optional<WorkOrder> find(UUID id) {
        return jdbc.query("select * from work_orders where id = ?", WorkOrders::read, id).stream()
                .findFirst();
    }

    /** Reads a work order and keeps everybody else from resolving it until the transaction ends. */
    public Optional<WorkOrder> lock(UUID id) {
        return jdbc.query("select * from work_orders where id = ? for update", WorkOrders::read, id).stream()
                .findFirst();
    }

    /** The work orders about one aggregate, oldest first. */
    public List<WorkOrder> of(UUID aggregateId) {
        return jdbc.query(
                "select * from work_orders where aggregate_id = ? order by opened_at, id",
                WorkOrders::read,
                aggregateId);
    }

    /**
     * Work orders, oldest first.
     *
     * @param status only these; null for all
     * @param kind only these; null for all
     * @param after the last one of the page before; null for the first page
     * @param limit how many at most
     */
    public List<WorkOrder> list(@Nullable Status status, @Nullable String kind, @Nullable UUID after, int limit) {
        return jdbc.query(
                """
                select * from work_orders w
                where (?::text is null or status = ?) and (?::text is null or kind = ?)
                  and (?::uuid is null or (opened_at, id) > (select a.opened_at, a.id from work_orders a where a.id = ?))
                order by opened_at, id
                limit ?
                """,
                WorkOrders::read,
                status == null ? null : status.name(),
                status == null ? null : status.name(),
                kind,
                kind,
                after,
                after,
                limit);
    }

    /** How many wait for a person. */
    public long open() {
        Long count = jdbc.queryForObject("select count(*) from work_orders where status = 'OPEN'", Long.class);
        return Objects.requireNonNull(count);
    }

    private static <T extends @Nullable Object> T[] column(
            List<WorkOrder> orders, Function<WorkOrder, T> field, java.util.function.IntFunction<T[]> array) {
        return orders.stream().map(field).toArray(array);
    }

    private static WorkOrder read(ResultSet row, int n) throws SQLException {
        Status status = Status.valueOf(row.getString("status"));
        Resolution resolution = status == Status.OPEN
                ? null
                : new Resolution(
                        Objects.requireNonNullElse(row.getString("action"), ""),
                        Objects.requireNonNullElse(row.getString("actor"), ""),
                        row.getString("note"),
                        instant(row.getTimestamp("resolved_at")));
        return new WorkOrder(
                row.getObject("id", UUID.class),
                row.getString("kind"),
                row.getObject("aggregate_id", UUID.class),
                row.getString("merchant_id"),
                row.getString("refund_no"),
                row.getString("currency"),
                row.getObject("amount", Long.class),
                row.getString("detail"),
                status,
                instant(row.getTimestamp("opened_at")),
                resolution);
    }

    private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
        return timestamp == null ? null : timestamp.toInstant();
    }
}
