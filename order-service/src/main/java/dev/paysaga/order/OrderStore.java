package dev.paysaga.order;

import dev.paysaga.order.LockedOrders.Change;
import dev.paysaga.order.LockedOrders.ChangedRefund;
import dev.paysaga.order.LockedOrders.Number;
import dev.paysaga.order.LockedOrders.RefundTransition;
import dev.paysaga.order.domain.Ack;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.Question;
import dev.paysaga.order.domain.Refund;
import dev.paysaga.order.domain.RefundStatus;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.parking.ParkingLot;
import dev.paysaga.saga.state.TransitionLog;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrders;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Orders and refunds in the database: as many statements for a hundred orders as for one, locks sorted by order id. */
@Component
final class OrderStore {

    private static final String ORDER = """
            select order_id, merchant_id, out_trade_no, payer_account_id, currency, amount, lines, notify_url, state, reason,
                   stock_committed, payment_captured, stock_released, payment_voided, version, deadline_at
              from orders
            """;

    private static final String INSERT = """
            insert into orders (order_id, merchant_id, out_trade_no, payer_account_id, currency, amount, lines, notify_url,
                                state, version, deadline_at)
            select f.order_id, f.merchant_id, f.out_trade_no, f.payer_account_id, f.currency, f.amount, f.lines::jsonb,
                   f.notify_url, f.state, f.version, now() + f.wait * interval '1 millisecond'
              from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[],
                          ?::smallint[], ?::int[], ?::bigint[])
                as f (order_id, merchant_id, out_trade_no, payer_account_id, currency, amount, lines, notify_url, state,
                      version, wait)
             order by f.merchant_id, f.out_trade_no
            on conflict (merchant_id, out_trade_no) do nothing
            returning created_at
            """;

    private static final String UPDATE = """
            update orders o
               set state = c.state, reason = c.reason, stock_committed = c.stock_committed,
                   payment_captured = c.payment_captured, stock_released = c.stock_released,
                   payment_voided = c.payment_voided, refunded_amount = c.refunded_amount, version = c.version,
                   updated_at = now(),
                   deadline_at = case when c.same_deadline then o.deadline_at
                                      else now() + c.wait * interval '1 millisecond' end
              from unnest(?::uuid[], ?::int[], ?::smallint[], ?::text[], ?::boolean[], ?::boolean[], ?::boolean[],
                          ?::boolean[], ?::bigint[], ?::int[], ?::boolean[], ?::bigint[])
                as c (order_id, version_before, state, reason, stock_committed, payment_captured, stock_released,
                      payment_voided, refunded_amount, version, same_deadline, wait)
             where o.order_id = c.order_id and o.version = c.version_before
            """;

    private static final String SAVE_REFUNDS = """
            insert into refunds as r (order_id, refund_no, amount, reason, restock, state, failure, version)
            select c.order_id, c.refund_no, c.amount, c.reason, c.restock::jsonb, c.state, c.failure, c.version
              from unnest(?::uuid[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::smallint[], ?::text[], ?::int[])
                as c (order_id, refund_no, amount, reason, restock, state, failure, version)
            on conflict (order_id, refund_no) do update
               set state = excluded.state, failure = excluded.failure, version = excluded.version, updated_at = now()
             where r.version < excluded.version
            """;

    private static final String LOG_REFUNDS = """
            insert into refund_events (order_id, refund_no, event_id, from_state, to_state, version)
            select * from unnest(?::uuid[], ?::text[], ?::uuid[], ?::smallint[], ?::smallint[], ?::int[])
            """;

    private final JdbcOperations jdbc;
    private final TransitionLog log;
    private final WorkOrders workOrders;
    private final ParkingLot parkingLot;
    private final OrderProperties.Deadlines deadlines;

    OrderStore(
            JdbcOperations jdbc,
            TransitionLog log,
            WorkOrders workOrders,
            ParkingLot parkingLot,
            OrderProperties properties) {
        this.jdbc = jdbc;
        this.workOrders = workOrders;
        this.parkingLot = parkingLot;
        this.log = log;
        this.deadlines = properties.deadlines();
    }

    /**
     * Locks these orders, those with these numbers, and these work orders as far as they are this service's and open.
     * Which numbers are taken is read without a lock: an order's number and terms never change.
     */
    LockedOrders lock(Collection<UUID> orderIds, Collection<Number> numbers, Collection<UUID> workOrders) {
        var ids = new HashSet<>(orderIds);
        ids.addAll(idsOf(numbers));
        return locked(
                ids.isEmpty()
                        ? List.of()
                        : jdbc.query(
                                ORDER + " where order_id = any(?) order by order_id for update",
                                OrderStore::row,
                                (Object) ids.toArray(UUID[]::new)),
                lockOpen(workOrders));
    }

    /** Locks this order. */
    LockedOrders lock(UUID orderId) {
        return lock(List.of(orderId), List.of(), List.of());
    }

    /** Locks orders whose deadline has passed, oldest first; those that somebody else has locked are left to him. */
    LockedOrders lockOverdue(int limit) {
        return locked(jdbc.query(ORDER + """
                                 where state in (10, 20, 30, 50, 60) and deadline_at <= now()
                                 order by deadline_at
                                 limit ?
                                   for update skip locked
                                """, OrderStore::row, limit), Map.of());
    }

    /**
     * Stores a new order, unless its number is taken. Of two at once with one number, the second waits for the first.
     *
     * @return when it was stored, by the database's clock; empty if it was not
     */
    Optional<Instant> insert(Order order) {
        Optional<Instant> createdAt = insertAll(List.of(order)).stream().findFirst();
        createdAt.ifPresent(at -> log.append(List.of(LockedOrders.placement(order))));
        return createdAt;
    }

    /** @throws OptimisticLockingFailureException if somebody else was faster; nothing is lost by trying again */
    void save(LockedOrders orders) {
        List<Order> placed = orders.placed();
        if (!placed.isEmpty()) {
            demand(insertAll(placed).size(), placed.size(), "orders were placed by somebody else at the same time");
        }
        update(orders.changes());
        saveRefunds(orders.changedRefunds());
        log.append(orders.transitions());
        log(orders.refundTransitions());
    }

    /** Takes the deadline off these orders: a person has been told. */
    void stopWatching(List<UUID> orderIds) {
        if (!orderIds.isEmpty()) {
            jdbc.update("update orders set deadline_at = null where order_id = any(?)", (Object)
                    orderIds.toArray(UUID[]::new));
        }
    }

    private Set<UUID> idsOf(Collection<Number> numbers) {
        if (numbers.isEmpty()) {
            return Set.of();
        }
        return new HashSet<>(jdbc.query(
                """
                select o.order_id
                  from unnest(?::text[], ?::text[]) as n (merchant_id, out_trade_no)
                  join orders o using (merchant_id, out_trade_no)
                """,
                (row, n) -> row.getObject(1, UUID.class),
                numbers.stream().map(Number::merchantId).toArray(String[]::new),
                numbers.stream().map(Number::outTradeNo).toArray(String[]::new)));
    }

    /** One by one: they come from people. */
    private Map<UUID, Question> lockOpen(Collection<UUID> ids) {
        var open = new HashMap<UUID, Question>();
        ids.stream()
                .distinct()
                .sorted()
                .forEach(id -> workOrders
                        .lock(id)
                        .filter(WorkOrder::isOpen)
                        .ifPresent(order -> open.put(id, question(order))));
        return open;
    }

    private Question question(WorkOrder order) {
        boolean parked = order.kind().equals(ParkingLot.WORK_ORDER_KIND);
        return new Question(
                order.aggregateId(),
                parked,
                parked && parkingLot.waitingFor(order).isPresent());
    }

    /**
     * Locks the open work orders about events of settled orders of which nothing is parked here any more: they were done
     * without. Those that somebody else has locked are left to him.
     */
    List<WorkOrder> lockSkippedOfSettled() {
        return jdbc.query("""
                        select w.id
                          from work_orders w join orders o on o.order_id = w.aggregate_id
                         where w.status = 'OPEN' and w.kind = ? and o.state in (40, 51, 61, 62)
                           and not exists (select from parked_events p
                                            where p.key = w.aggregate_id::text and p.closed_at is null)
                         order by w.id
                           for update of w skip locked
                        """, (row, n) -> row.getObject(1, UUID.class), ParkingLot.WORK_ORDER_KIND).stream()
                .flatMap(id -> workOrders.find(id).stream())
                .toList();
    }

    /** Refunds are read after the lock is held: before, somebody else might have been adding one. */
    private LockedOrders locked(List<Row> rows, Map<UUID, Question> openWorkOrders) {
        Map<UUID, List<Refund>> refunds = refunds(
                rows.stream().filter(Row::mayHaveRefunds).map(Row::orderId).toList());
        List<Order> orders = rows.stream()
                .map(row -> row.order(refunds.getOrDefault(row.orderId(), List.of())))
                .toList();
        var stuck = new HashSet<UUID>();
        var since = new HashMap<UUID, Instant>();
        for (Row row : rows) {
            Duration wait = deadlines.of(row.status());
            Instant deadline = row.deadline();
            if (wait != null && deadline != null) {
                since.put(row.orderId(), deadline.minus(wait));
            } else if (wait != null) {
                stuck.add(row.orderId());
            }
        }
        return new LockedOrders(orders, stuck, since, openWorkOrders);
    }

    private Map<UUID, List<Refund>> refunds(List<UUID> orderIds) {
        var found = new HashMap<UUID, List<Refund>>();
        if (!orderIds.isEmpty()) {
            jdbc.query(
                    """
                    select order_id, refund_no, amount, reason, restock, state, failure, version
                      from refunds
                     where order_id = any(?)
                     order by created_at, refund_no
                    """,
                    row -> {
                        found.computeIfAbsent(row.getObject("order_id", UUID.class), id -> new ArrayList<>())
                                .add(refund(row));
                    },
                    (Object) orderIds.toArray(UUID[]::new));
        }
        return found;
    }

    private List<Instant> insertAll(List<Order> orders) {
        return jdbc.query(
                INSERT,
                (row, n) -> row.getTimestamp(1).toInstant(),
                column(orders, UUID[]::new, Order::orderId),
                column(orders, String[]::new, Order::merchantId),
                column(orders, String[]::new, order -> order.terms().outTradeNo()),
                column(orders, String[]::new, order -> order.terms().payerAccountId()),
                column(orders, String[]::new, order -> order.terms().currency()),
                column(orders, Long[]::new, order -> order.terms().amount()),
                column(
                        orders,
                        String[]::new,
                        order -> StoredLines.ordered(order.terms().lines())),
                column(orders, String[]::new, order -> order.terms().notifyUrl()),
                column(orders, Short[]::new, order -> (short) order.status().code()),
                column(orders, Integer[]::new, Order::version),
                column(orders, Long[]::new, order -> wait(order)));
    }

    private void update(List<Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        List<Order> after = changes.stream().map(Change::after).toList();
        int stored = jdbc.update(
                UPDATE,
                column(after, UUID[]::new, Order::orderId),
                column(changes, Integer[]::new, change -> change.before().version()),
                column(after, Short[]::new, order -> (short) order.status().code()),
                column(after, String[]::new, Order::reason),
                acks(after, Ack.STOCK_COMMITTED),
                acks(after, Ack.PAYMENT_CAPTURED),
                acks(after, Ack.STOCK_RELEASED),
                acks(after, Ack.PAYMENT_VOIDED),
                column(after, Long[]::new, Order::refundedAmount),
                column(after, Integer[]::new, Order::version),
                column(changes, Boolean[]::new, OrderStore::keepsDeadline),
                column(after, Long[]::new, order -> wait(order)));
        demand(stored, changes.size(), "orders were changed by somebody else at the same time");
    }

    private void saveRefunds(List<ChangedRefund> changed) {
        if (changed.isEmpty()) {
            return;
        }
        List<Refund> refunds = changed.stream().map(ChangedRefund::refund).toList();
        int stored = jdbc.update(
                SAVE_REFUNDS,
                column(changed, UUID[]::new, ChangedRefund::orderId),
                column(refunds, String[]::new, Refund::refundNo),
                column(refunds, Long[]::new, Refund::amount),
                column(refunds, String[]::new, refund -> refund.terms().reason()),
                column(
                        refunds,
                        String[]::new,
                        refund -> StoredLines.restocked(refund.terms().restock())),
                column(refunds, Short[]::new, refund -> (short) refund.status().code()),
                column(refunds, String[]::new, Refund::failure),
                column(refunds, Integer[]::new, Refund::version));
        demand(stored, changed.size(), "refunds were changed by somebody else at the same time");
    }

    private void log(List<RefundTransition> transitions) {
        if (transitions.isEmpty()) {
            return;
        }
        jdbc.update(
                LOG_REFUNDS,
                column(transitions, UUID[]::new, RefundTransition::orderId),
                column(transitions, String[]::new, RefundTransition::refundNo),
                column(transitions, UUID[]::new, RefundTransition::eventId),
                column(transitions, Short[]::new, transition ->
                        (short) transition.from().code()),
                column(transitions, Short[]::new, transition ->
                        (short) transition.to().code()),
                column(transitions, Integer[]::new, RefundTransition::version));
    }

    private @Nullable Long wait(Order order) {
        Duration wait = deadlines.of(order.status());
        return wait == null || !order.isWaiting() ? null : Long.valueOf(wait.toMillis());
    }

    private static boolean keepsDeadline(Change change) {
        return change.before().status() == change.after().status()
                && change.before().isWaiting() == change.after().isWaiting()
                && !change.restarted();
    }

    private static Object acks(List<Order> orders, Ack ack) {
        return column(orders, Boolean[]::new, order -> order.acks().contains(ack));
    }

    /** One column of a statement that takes all rows at once. */
    private static <R, C> Object column(
            List<R> rows, IntFunction<C[]> array, Function<? super R, ? extends @Nullable C> value) {
        return rows.stream().map(value).toArray(array);
    }

    private static void demand(int stored, int expected, String otherwise) {
        if (stored != expected) {
            throw new OptimisticLockingFailureException(expected - stored + " of " + expected + " " + otherwise);
        }
    }

    /** An order's row, without its refunds. */
    private record Row(
            UUID orderId,
            Terms terms,
            OrderStatus status,
            @Nullable String reason,
            Set<Ack> acks,
            int version,
            @Nullable Instant deadline) {

        boolean mayHaveRefunds() {
            return status.isPaid();
        }

        Order order(List<Refund> refunds) {
            return new Order(orderId, terms, status, reason, acks, refunds, version);
        }
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                row.getObject("order_id", UUID.class),
                new Terms(
                        row.getString("merchant_id"),
                        row.getString("out_trade_no"),
                        row.getString("payer_account_id"),
                        row.getString("currency"),
                        row.getLong("amount"),
                        StoredLines.ordered(row.getString("lines")),
                        row.getString("notify_url")),
                OrderStatus.of(row.getInt("state")),
                row.getString("reason"),
                acks(row),
                row.getInt("version"),
                instant(row.getTimestamp("deadline_at")));
    }

    static @Nullable Instant instant(@Nullable Timestamp timestamp) {
        return timestamp == null ? null : timestamp.toInstant();
    }

    private static Set<Ack> acks(ResultSet row) throws SQLException {
        var acks = EnumSet.noneOf(Ack.class);
        for (Ack ack : Ack.values()) {
            if (row.getBoolean(ack.name())) {
                acks.add(ack);
            }
        }
        return acks;
    }

    private static Refund refund(ResultSet row) throws SQLException {
        return new Refund(
                new RefundTerms(
                        row.getString("refund_no"),
                        row.getLong("amount"),
                        row.getString("reason"),
                        StoredLines.restocked(row.getString("restock"))),
                RefundStatus.of(row.getInt("state")),
                row.getString("failure"),
                row.getInt("version"));
    }
}
