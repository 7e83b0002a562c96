package dev.paysaga.stack.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything the four services have written down, as they have written it. */
final class Books {

    record Line(String sku, long quantity) {}

    record Order(UUID id, String merchant, long amount, String currency, int state, long refunded, List<Line> lines) {}

    record Refund(UUID order, String number, long amount, int state, List<Line> restock) {}

    record Shelf(String merchant, String sku, long onHand, long reserved) {}

    record Reservation(UUID order, String merchant, int state, List<Line> lines) {}

    record Restock(UUID order, String refund, String merchant, List<Line> lines) {}

    record Account(String key, String kind, String currency, long posted, long held) {}

    record Transfer(
            UUID id,
            String debit,
            String credit,
            long amount,
            String currency,
            String kind,
            @Nullable UUID order,
            @Nullable String refund,
            @Nullable UUID pendingOf) {}

    record Payment(UUID order, long amount, String currency, int state) {}

    record Notification(UUID order, String kind, @Nullable String refund) {}

    record WorkOrder(UUID about, @Nullable String currency, long amount) {}

    final Map<UUID, Order> orders = new HashMap<>();
    final List<Refund> refunds = new ArrayList<>();
    final List<Shelf> shelves = new ArrayList<>();
    final Map<String, Long> received = new HashMap<>();
    final Map<UUID, Reservation> reservations = new HashMap<>();
    final List<Restock> restocks = new ArrayList<>();
    final List<Account> accounts = new ArrayList<>();
    final List<Transfer> transfers = new ArrayList<>();
    final Map<UUID, Payment> payments = new HashMap<>();
    final List<Notification> notifications = new ArrayList<>();
    final List<WorkOrder> openWorkOrders = new ArrayList<>();
    final Map<UUID, String> outbox = new HashMap<>();
    long parked;

    private static final ObjectMapper JSON = new ObjectMapper();

    void readOrders(Connection db) throws SQLException {
        each(db, "select order_id, merchant_id, amount, currency, state, refunded_amount, lines from orders", row -> {
            var order = new Order(
                    row.getObject(1, UUID.class),
                    row.getString(2),
                    row.getLong(3),
                    row.getString(4),
                    row.getInt(5),
                    row.getLong(6),
                    lines(row.getString(7)));
            orders.put(order.id(), order);
        });
        each(
                db,
                "select order_id, refund_no, amount, state, restock from refunds",
                row -> refunds.add(new Refund(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getLong(3),
                        row.getInt(4),
                        lines(row.getString(5)))));
        readCommon(db);
    }

    void readInventory(Connection db) throws SQLException {
        each(
                db,
                "select merchant_id, sku, on_hand, reserved from shelves",
                row -> shelves.add(new Shelf(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4))));
        each(
                db,
                "select merchant_id || '/' || sku, sum(quantity) from stock_receipts group by 1",
                row -> received.put(row.getString(1), row.getLong(2)));
        each(db, "select order_id, merchant_id, state, lines from reservations", row -> {
            var reservation = new Reservation(
                    row.getObject(1, UUID.class), row.getString(2), row.getInt(3), lines(row.getString(4)));
            reservations.put(reservation.order(), reservation);
        });
        each(
                db,
                "select order_id, refund_no, merchant_id, lines from restocks",
                row -> restocks.add(new Restock(
                        row.getObject(1, UUID.class), row.getString(2), row.getString(3), lines(row.getString(4)))));
        readCommon(db);
    }

    void readAccounts(Connection db) throws SQLException {
        each(
                db,
                "select account_key, kind, currency, posted, held from accounts",
                row -> accounts.add(new Account(
                        row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getLong(5))));
        each(
                db,
                "select transfer_id, debit_account, credit_account, amount, currency, kind, order_id, refund_no, pending_of from transfers",
                row -> transfers.add(new Transfer(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getString(5),
                        row.getString(6),
                        row.getObject(7, UUID.class),
                        row.getString(8),
                        row.getObject(9, UUID.class))));
        each(db, "select order_id, amount, currency, state from payments", row -> {
            var payment = new Payment(
                    row.getObject(1, UUID.class), row.getLong(2), String.valueOf(row.getString(3)), row.getInt(4));
            payments.put(payment.order(), payment);
        });
        readCommon(db);
    }

    void readNotifications(Connection db) throws SQLException {
        each(
                db,
                "select order_id, kind, refund_no from notifications",
                row -> notifications.add(
                        new Notification(row.getObject(1, UUID.class), row.getString(2), row.getString(3))));
        readCommon(db);
    }

    /** What every service has: outbox, parked events, work orders. */
    private void readCommon(Connection db) throws SQLException {
        each(db, "select id, topic from outbox", row -> outbox.put(row.getObject(1, UUID.class), row.getString(2)));
        each(
                db,
                "select count(*) from parked_events where status in ('PARKED', 'QUEUED')",
                row -> parked += row.getLong(1));
        each(
                db,
                "select aggregate_id, currency, coalesce(amount, 0) from work_orders where status = 'OPEN' and aggregate_id is not null",
                row -> openWorkOrders.add(
                        new WorkOrder(row.getObject(1, UUID.class), row.getString(2), row.getLong(3))));
    }

    Set<UUID> inAPersonsHands() {
        var ids = new HashSet<UUID>();
        openWorkOrders.forEach(workOrder -> ids.add(workOrder.about()));
        return ids;
    }

    private static List<Line> lines(@Nullable String json) {
        if (json == null) {
            return List.of();
        }
        var lines = new ArrayList<Line>();
        try {
            for (JsonNode line : JSON.readTree(json)) {
                lines.add(
                        new Line(line.get("sku").asText(), line.get("quantity").asLong()));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("these lines are no JSON: " + json, e);
        }
        return lines;
    }

    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private static void each(Connection db, String sql, Row row) throws SQLException {
        try (var statement = db.createStatement()) {
            statement.setFetchSize(5000);
            try (var rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    row.read(rows);
                }
            }
        }
    }
}
