package dev.paysaga.inventory;

import dev.paysaga.inventory.InventoryParticipant.Concern;
import dev.paysaga.inventory.LockedStock.Change;
import dev.paysaga.inventory.LockedStock.NewRestock;
import dev.paysaga.inventory.LockedStock.ShelfKey;
import dev.paysaga.inventory.domain.Reason;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Reservation.Status;
import dev.paysaga.inventory.domain.Restock;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.saga.state.TransitionLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * The rows behind the decisions, as many statements for one poll as for one event. One lock order for everybody, so that
 * nobody waits in a circle: reservations by order id, then shelves by merchant and SKU.
 */
@Component
final class ReservationStore {

    private static final String RESERVATION = """
            select order_id, merchant_id, state, reason, short_sku, lines, overdue, version
              from reservations
            """;

    private final JdbcOperations jdbc;
    private final TransitionLog log;
    private final Lines lines;
    private final UndecidedReservations undecided;
    private final CompensationMeter compensations;

    ReservationStore(
            JdbcOperations jdbc,
            TransitionLog log,
            Lines lines,
            UndecidedReservations undecided,
            CompensationMeter compensations) {
        this.jdbc = jdbc;
        this.log = log;
        this.lines = lines;
        this.undecided = undecided;
        this.compensations = compensations;
    }

    Optional<Reservation> find(UUID orderId, String merchantId) {
        return jdbc
                .query(RESERVATION + " where order_id = ? and merchant_id = ?", this::reservation, orderId, merchantId)
                .stream()
                .findFirst();
    }

    Restocks restocksOf(UUID orderId) {
        return restocks(List.of(orderId)).getOrDefault(orderId, Restocks.NONE);
    }

    /** Locks all that these events may touch. */
    LockedStock lock(Collection<Concern> concerns) {
        Set<UUID> overdue = new HashSet<>();
        Map<UUID, Reservation> reservations = lockReservations(concerns, overdue);
        Map<UUID, Restocks> restocks = restocks(concerns.stream()
                .filter(Concern::restocks)
                .map(Concern::orderId)
                .distinct()
                .toList());
        return new LockedStock(reservations, overdue, restocks, lockShelves(concerns, reservations));
    }

    /** @throws OptimisticLockingFailureException if somebody else was faster; nothing is lost by trying again */
    void save(LockedStock stock) {
        insert(stock.newReservations());
        update(stock.changedReservations());
        updateShelves(stock.changedShelves());
        insertRestocks(stock.newRestocks());
        log.append(stock.transitions());
        stock.settledOverdue().forEach(undecided::close);
        compensations.count(stock);
    }

    /** @param overdue is given those about which a person was asked */
    private Map<UUID, Reservation> lockReservations(Collection<Concern> concerns, Set<UUID> overdue) {
        if (concerns.isEmpty()) {
            return Map.of();
        }
        UUID[] ids = concerns.stream().map(Concern::orderId).distinct().toArray(UUID[]::new);
        return jdbc
                .query(
                        RESERVATION + " where order_id = any(?) order by order_id for update",
                        (row, number) -> {
                            Reservation reservation = reservation(row, number);
                            if (row.getBoolean("overdue")) {
                                overdue.add(reservation.orderId());
                            }
                            return reservation;
                        },
                        (Object) ids)
                .stream()
                .collect(Collectors.toMap(Reservation::orderId, Function.identity()));
    }

    private Map<UUID, Restocks> restocks(List<UUID> orderIds) {
        var found = new HashMap<UUID, Restocks>();
        if (!orderIds.isEmpty()) {
            jdbc.query(
                    "select order_id, refund_no, lines from restocks where order_id = any(?)",
                    row -> {
                        var restock = new Restock(row.getString("refund_no"), lines.read(row.getString("lines")));
                        found.merge(
                                row.getObject("order_id", UUID.class),
                                Restocks.NONE.with(restock),
                                (known, one) -> known.with(restock));
                    },
                    (Object) orderIds.toArray(UUID[]::new));
        }
        return found;
    }

    private Map<ShelfKey, Shelf> lockShelves(Collection<Concern> concerns, Map<UUID, Reservation> reservations) {
        List<ShelfKey> keys = concerns.stream()
                .flatMap(concern -> shelvesOf(concern, reservations.get(concern.orderId())))
                .distinct()
                .toList();
        var found = new HashMap<ShelfKey, Shelf>();
        if (!keys.isEmpty()) {
            jdbc.query(
                    """
                    select s.merchant_id, s.sku, s.on_hand, s.reserved
                      from shelves s
                      join unnest(?::text[], ?::text[]) as wanted (merchant_id, sku) using (merchant_id, sku)
                     order by s.merchant_id, s.sku
                       for update of s
                    """,
                    row -> {
                        String sku = row.getString("sku");
                        found.put(
                                new ShelfKey(row.getString("merchant_id"), sku),
                                new Shelf(sku, row.getLong("on_hand"), row.getLong("reserved")));
                    },
                    keys.stream().map(ShelfKey::merchantId).toArray(String[]::new),
                    keys.stream().map(ShelfKey::sku).toArray(String[]::new));
        }
        return found;
    }

    /** Only shelves that can still move: those of an unseen or reserved order, and those a refund puts something back on. */
    private static Stream<ShelfKey> shelvesOf(Concern concern, @Nullable Reservation now) {
        if (now == null) {
            return concern.skus().stream().map(sku -> new ShelfKey(concern.merchantId(), sku));
        }
        var skus = now.status() == Status.RESERVED
                ? now.units().skus()
                : now.status() == Status.COMMITTED && concern.restocks() ? concern.skus() : List.<String>of();
        return skus.stream().map(sku -> new ShelfKey(now.merchantId(), sku));
    }

    private void insert(List<Reservation> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        int stored = jdbc.update(
                """
                insert into reservations (order_id, merchant_id, state, reason, short_sku, lines, version)
                select * from unnest(?::uuid[], ?::text[], ?::smallint[], ?::text[], ?::text[], ?::jsonb[], ?::int[])
                       as fresh (order_id, merchant_id, state, reason, short_sku, lines, version)
                 order by order_id
                on conflict (order_id) do nothing
                """,
                column(fresh, UUID[]::new, Reservation::orderId),
                column(fresh, String[]::new, Reservation::merchantId),
                column(fresh, Short[]::new, ReservationStore::state),
                column(fresh, String[]::new, ReservationStore::reason),
                column(fresh, String[]::new, Reservation::shortSku),
                column(fresh, String[]::new, reservation -> lines.write(reservation.units())),
                column(fresh, Integer[]::new, Reservation::version));
        demand(stored, fresh.size(), "reservations were first heard of by somebody else at the same time");
    }

    private void update(List<Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        List<Reservation> after = changes.stream().map(Change::after).toList();
        int stored = jdbc.update(
                """
                update reservations r
                   set state = changed.state, reason = changed.reason, version = changed.version, updated_at = now()
                  from unnest(?::uuid[], ?::int[], ?::smallint[], ?::text[], ?::int[])
                       as changed (order_id, version_before, state, reason, version)
                 where r.order_id = changed.order_id and r.version = changed.version_before
                """,
                column(after, UUID[]::new, Reservation::orderId),
                column(changes, Integer[]::new, Change::versionBefore),
                column(after, Short[]::new, ReservationStore::state),
                column(after, String[]::new, ReservationStore::reason),
                column(after, Integer[]::new, Reservation::version));
        demand(stored, changes.size(), "reservations were changed by somebody else at the same time");
    }

    private void updateShelves(Map<ShelfKey, Shelf> changed) {
        if (changed.isEmpty()) {
            return;
        }
        List<Map.Entry<ShelfKey, Shelf>> rows = List.copyOf(changed.entrySet());
        int stored = jdbc.update(
                """
                update shelves s
                   set on_hand = changed.on_hand, reserved = changed.reserved, version = s.version + 1
                  from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) as changed (merchant_id, sku, on_hand, reserved)
                 where s.merchant_id = changed.merchant_id and s.sku = changed.sku
                """,
                column(rows, String[]::new, row -> row.getKey().merchantId()),
                column(rows, String[]::new, row -> row.getKey().sku()),
                column(rows, Long[]::new, row -> row.getValue().onHand()),
                column(rows, Long[]::new, row -> row.getValue().reserved()));
        demand(stored, rows.size(), "shelves are gone");
    }

    private void insertRestocks(List<NewRestock> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        jdbc.update(
                """
                insert into restocks (order_id, refund_no, merchant_id, lines)
                select * from unnest(?::uuid[], ?::text[], ?::text[], ?::jsonb[])
                """,
                column(fresh, UUID[]::new, row -> row.reservation().orderId()),
                column(fresh, String[]::new, row -> row.restock().refundNo()),
                column(fresh, String[]::new, row -> row.reservation().merchantId()),
                column(fresh, String[]::new, row -> lines.write(row.restock().units())));
    }

    private Reservation reservation(ResultSet row, int number) throws SQLException {
        @Nullable String reason = row.getString("reason");
        return new Reservation(
                row.getObject("order_id", UUID.class),
                row.getString("merchant_id"),
                Status.of(row.getInt("state")),
                lines.read(row.getString("lines")),
                reason == null ? null : Reason.valueOf(reason),
                row.getString("short_sku"),
                row.getInt("version"));
    }

    private static Short state(Reservation reservation) {
        return (short) reservation.status().code();
    }

    private static @Nullable String reason(Reservation reservation) {
        @Nullable Reason reason = reservation.reason();
        return reason == null ? null : reason.name();
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
}
