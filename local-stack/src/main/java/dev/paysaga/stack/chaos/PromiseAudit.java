package dev.paysaga.stack.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paysaga.reconciliation.Difference;
import dev.paysaga.stack.chaos.Promise.Terms;
import dev.paysaga.stack.processes.Databases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds what clients were told against what the services have in their books. Meaningful where nothing is on its way. */
final class PromiseAudit {

    // The contract's state codes, written down once more: an auditor takes nothing from the audited.
    private static final int CANCELED = 51;
    private static final Set<Integer> PAID_ONCE = Set.of(40, 60, 61, 62);
    private static final int REFUND_REQUESTED = 1;
    private static final int REFUND_SUSPENDED = 4;

    private static final ObjectMapper JSON = new ObjectMapper();

    private record Order(String id, Terms terms, int state, String reason) {}

    private record Refund(String orderId, String number, long amount, long restock, int state) {}

    private final Map<String, Order> orders = new HashMap<>();
    private final Map<String, List<Order>> ordersByKey = new HashMap<>();
    private final Map<String, Refund> refunds = new HashMap<>();
    private final Set<String> workOrders = new HashSet<>();
    private final Map<String, Long> deposits = new HashMap<>();
    private final Map<String, Long> receipts = new HashMap<>();
    private final Map<String, String> statuses = new HashMap<>();
    private final Map<String, Long> depositTransfers = new HashMap<>();
    private final Map<String, Long> depositRows = new HashMap<>();
    private final List<Difference> broken = new ArrayList<>();

    private PromiseAudit() {}

    /**
     * Every promise that was not kept, and everything that was done without having been asked for.
     *
     * @param merchants what the names of the merchants concerned begin with
     * @throws SQLException if a database cannot be read
     */
    static List<Difference> of(Databases databases, String merchants, Promises promises) throws SQLException {
        var audit = new PromiseAudit();
        try (Connection order = databases.connect("order");
                Connection account = databases.connect("account");
                Connection inventory = databases.connect("inventory")) {
            audit.read(order, account, inventory, merchants + "%");
        }
        promises.given().forEach(audit::check);
        promises.surprises()
                .forEach(answer -> audit.differ("unexpected-answer", answer.text("orderId"), answer.toString()));
        audit.nothingElse(promises);
        return List.copyOf(audit.broken);
    }

    private void read(Connection order, Connection account, Connection inventory, String like) throws SQLException {
        each(
                order,
                "select order_id, merchant_id, out_trade_no, payer_account_id, currency, amount, lines, state, coalesce(reason, '') from orders where merchant_id like ?",
                like,
                row -> {
                    JsonNode line = json(row.getString(7)).path(0);
                    var terms = new Terms(
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5),
                            line.path("sku").asText(),
                            line.path("quantity").asLong(),
                            row.getLong(6));
                    var found = new Order(row.getString(1), terms, row.getInt(8), row.getString(9));
                    orders.put(found.id(), found);
                    ordersByKey
                            .computeIfAbsent(terms.key(), key -> new ArrayList<>())
                            .add(found);
                });
        each(
                order,
                "select r.order_id, r.refund_no, r.amount, r.restock, r.state from refunds r join orders o using (order_id) where o.merchant_id like ?",
                like,
                row -> {
                    var refund = new Refund(
                            row.getString(1),
                            row.getString(2),
                            row.getLong(3),
                            json(row.getString(4)).path(0).path("quantity").asLong(),
                            row.getInt(5));
                    refunds.put(refund.orderId() + "/" + refund.number(), refund);
                });
        each(
                account,
                "select aggregate_id, refund_no from work_orders where refund_no is not null and merchant_id like ?",
                like,
                row -> workOrders.add(row.getString(1) + "/" + row.getString(2)));
        each(
                account,
                "select merchant_id, deposit_no, amount, account_id from deposits where merchant_id like ?",
                like,
                row -> {
                    deposits.put(row.getString(1) + "/" + row.getString(2), row.getLong(3));
                    depositRows.merge(row.getString(1) + "/" + row.getString(4), row.getLong(3), Math::addExact);
                });
        each(
                account,
                "select credit_account, sum(amount) from transfers where kind = 'DEPOSIT' and credit_account like ? group by 1",
                like,
                row -> depositTransfers.put(row.getString(1), row.getLong(2)));
        each(
                account,
                "select account_key, status from accounts where merchant_id like ?",
                like,
                row -> statuses.put(row.getString(1), row.getString(2)));
        each(
                inventory,
                "select merchant_id, receipt_no, quantity from stock_receipts where merchant_id like ?",
                like,
                row -> receipts.put(row.getString(1) + "/" + row.getString(2), row.getLong(3)));
    }

    private void check(Promise promise) {
        switch (promise) {
            case Promise.Accepted accepted -> {
                Order order = orders.get(accepted.orderId());
                if (order == null) {
                    differ("accepted-order-lost", accepted.orderId(), accepted.toString());
                } else if (!order.terms().equals(accepted.terms())) {
                    differ("accepted-order-has-other-terms", order.id(), accepted + ", found " + order.terms());
                }
            }
            case Promise.Requested requested -> {
                Terms terms = requested.terms();
                List<Order> found = ordersByKey.getOrDefault(terms.key(), List.of());
                if (found.isEmpty()) {
                    differ("requested-order-lost", terms.key(), requested.toString());
                } else if (!found.getFirst().terms().equals(terms)) {
                    differ("requested-order-has-other-terms", found.getFirst().id(), requested + ", found " + found);
                }
            }
            case Promise.Conflict conflict -> {
                for (Order order : ordersByKey.getOrDefault(conflict.refused().key(), List.of())) {
                    if (order.terms().equals(conflict.refused())) {
                        differ("refused-terms-taken", order.id(), conflict.toString());
                    }
                }
            }
            case Promise.Told told -> {
                Order order = orders.get(told.orderId());
                boolean still = order != null
                        && (told.status().equals("PAID")
                                ? PAID_ONCE.contains(order.state())
                                : order.state() == CANCELED && order.reason().equals(told.reason()));
                if (!still) {
                    differ("told-status-untrue", told.orderId(), told + ", found " + order);
                }
            }
            case Promise.Cancel cancel -> {
                Order order = orders.get(cancel.orderId());
                if (order == null || (order.state() == CANCELED) != cancel.accepted()) {
                    differ("cancel-answer-untrue", cancel.orderId(), cancel + ", found " + order);
                }
            }
            case Promise.Refund refund -> check(refund);
            case Promise.Deposit deposit -> {
                Long found = deposits.get(deposit.merchant() + "/" + deposit.depositNo());
                if (found == null || found != deposit.amount()) {
                    differ("deposit-lost", deposit.depositNo(), deposit + ", found " + found);
                }
            }
            case Promise.Receipt receipt -> {
                Long found = receipts.get(receipt.merchant() + "/" + receipt.receiptNo());
                if (found == null || found != receipt.quantity()) {
                    differ("receipt-lost", receipt.receiptNo(), receipt + ", found " + found);
                }
            }
            case Promise.Status status -> {
                String found = statuses.get(status.merchant() + "/" + status.account());
                if (!status.status().equals(found)) {
                    differ("account-status-untrue", status.account(), status + ", found " + found);
                }
            }
        }
    }

    private void check(Promise.Refund promised) {
        String key = promised.orderId() + "/" + promised.refundNo();
        Refund found = refunds.get(key);
        if (!promised.refused().isEmpty()) {
            if (found != null) {
                differ("refused-refund-exists", key, promised.toString());
            }
        } else if (found == null) {
            differ("accepted-refund-lost", key, promised.toString());
        } else if (found.amount() != promised.amount() || found.restock() != promised.restock()) {
            differ("accepted-refund-has-other-terms", key, promised + ", found " + found);
        } else if (found.state() == REFUND_REQUESTED) {
            differ("refund-undecided", key, promised.toString());
        } else if (found.state() == REFUND_SUSPENDED && !workOrders.contains(key)) {
            differ("suspended-refund-without-work-order", key, promised.toString());
        }
    }

    /** Nothing twice, and nothing that nobody has asked for. */
    private void nothingElse(Promises promises) {
        var asked = new HashSet<>(promises.unanswered());
        for (Promise promise : promises.given()) {
            if (promise instanceof Promise.Accepted accepted) {
                asked.add(accepted.terms().key());
            } else if (promise instanceof Promise.Requested requested) {
                asked.add(requested.terms().key());
            }
        }
        ordersByKey.forEach((key, found) -> {
            if (found.size() > 1) {
                differ("order-doubled", found.getFirst().id(), key + " has " + found.size() + " orders");
            }
            if (!asked.contains(key)) {
                differ("order-that-nobody-placed", found.getFirst().id(), key);
            }
        });
        depositRows.forEach((account, sum) -> {
            long moved = depositTransfers.getOrDefault(account, 0L);
            if (moved != sum) {
                differ("deposits-differ-from-ledger", account, sum + " came in, the ledger says " + moved);
            }
        });
    }

    private void differ(String rule, String subject, String detail) {
        broken.add(new Difference(rule, subject, detail));
    }

    private static JsonNode json(@Nullable String text) {
        try {
            return JSON.readTree(text == null ? "[]" : text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("this is no JSON: " + text, e);
        }
    }

    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private static void each(Connection db, String sql, String like, Row row) throws SQLException {
        try (var statement = db.prepareStatement(sql)) {
            statement.setString(1, like);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    row.read(rows);
                }
            }
        }
    }
}
