package dev.paysaga.stack.audit;

import dev.paysaga.stack.audit.Books.Line;
import dev.paysaga.stack.audit.Books.Order;
import dev.paysaga.stack.audit.Books.Transfer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes every balance and every shelf from the single postings and compares what the services say about each other.
 * Meaningful where nothing is on its way; it never changes anything.
 */
public final class Auditor {

    // The contract's state codes, written down once more: an auditor takes nothing from the audited.
    private static final int CONFIRMED = 30,
            PAID = 40,
            CANCELED = 51,
            REFUNDING = 60,
            PARTIALLY_REFUNDED = 61,
            REFUNDED = 62;
    private static final int REFUND_COMPLETED = 2, REFUND_FAILED = 3;
    private static final int RESERVED = 1, COMMITTED = 2;
    private static final Set<Integer> PAST_THE_PIVOT = Set.of(CONFIRMED, PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED);
    private static final Set<Integer> TERMINAL = Set.of(PAID, CANCELED, PARTIALLY_REFUNDED, REFUNDED);

    private final Books books = new Books();
    private final List<Difference> differences = new ArrayList<>();

    private Auditor() {}

    /** A database to read: closed by the auditor. */
    @FunctionalInterface
    public interface Database {
        Connection open() throws SQLException;
    }

    /**
     * Audits the whole system.
     *
     * @param publishedIds ids of the events in Kafka, by topic; null leaves Kafka out
     * @throws SQLException if a database cannot be read
     */
    public static Report audit(
            Database order,
            Database inventory,
            Database account,
            Database notification,
            @Nullable Map<String, Set<UUID>> publishedIds)
            throws SQLException {
        var auditor = new Auditor();
        read(order, auditor.books::readOrders);
        read(inventory, auditor.books::readInventory);
        read(account, auditor.books::readAccounts);
        read(notification, auditor.books::readNotifications);
        return auditor.report(publishedIds);
    }

    private interface Reader {
        void read(Connection connection) throws SQLException;
    }

    /** One snapshot per database. */
    private static void read(Database database, Reader reader) throws SQLException {
        try (Connection connection = database.open()) {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            reader.read(connection);
            connection.rollback();
        }
    }

    private Report report(@Nullable Map<String, Set<UUID>> publishedIds) {
        ledger();
        orders();
        refunds();
        shelves();
        suspense();
        notifications();
        if (publishedIds != null) {
            events(publishedIds);
        }
        var counts = new LinkedHashMap<String, Long>();
        counts.put("orders", (long) books.orders.size());
        var byState = new TreeMap<Integer, Long>(
                books.orders.values().stream().collect(Collectors.groupingBy(Order::state, Collectors.counting())));
        byState.forEach((state, count) -> counts.put("  " + stateName(state), count));
        counts.put("transfers", (long) books.transfers.size());
        counts.put("reservations", (long) books.reservations.size());
        counts.put("notifications", (long) books.notifications.size());
        counts.put("events in the outboxes", (long) books.outbox.size());
        if (publishedIds != null) {
            counts.put(
                    "distinct events in the topics",
                    publishedIds.values().stream().mapToLong(Set::size).sum());
        }
        counts.put("parked events", books.parked);
        counts.put("open work orders", (long) books.openWorkOrders.size());
        return new Report(differences, counts);
    }

    // ---- money ----

    private void ledger() {
        var posted = new HashMap<String, Long>();
        var held = new HashMap<String, Long>();
        Map<UUID, Transfer> byId =
                books.transfers.stream().collect(Collectors.toMap(Transfer::id, transfer -> transfer));
        var settledHolds = new HashSet<UUID>();
        for (Transfer transfer : books.transfers) {
            switch (transfer.kind()) {
                case "HOLD" -> held.merge(transfer.debit(), transfer.amount(), Math::addExact);
                case "VOID" -> settle(transfer, byId, settledHolds, held);
                case "CAPTURE" -> {
                    settle(transfer, byId, settledHolds, held);
                    move(posted, transfer);
                }
                default -> move(posted, transfer);
            }
        }
        var capturedPast = capturedPastTheirAccounts(byId);
        var sums = new TreeMap<String, Long>();
        var known = new HashMap<String, Books.Account>();
        for (Books.Account account : books.accounts) {
            known.put(account.key(), account);
            long shouldBe = posted.getOrDefault(account.key(), 0L);
            long shouldBeHeld = held.getOrDefault(account.key(), 0L);
            sums.merge(account.currency(), shouldBe, Math::addExact);
            if (account.kind().equals("WALLET")) {
                if (account.posted() != shouldBe) {
                    differ(
                            "balance-differs-from-ledger",
                            account.key(),
                            "posted " + account.posted() + ", transfers say " + shouldBe);
                }
                if (account.held() != shouldBeHeld) {
                    differ(
                            "held-differs-from-ledger",
                            account.key(),
                            "held " + account.held() + ", open holds say " + shouldBeHeld);
                }
                if (shouldBe < shouldBeHeld) {
                    differ(
                            "wallet-overdrawn",
                            account.key(),
                            "posted " + shouldBe + " is less than held " + shouldBeHeld);
                }
            } else if (account.kind().equals("MERCHANT")) {
                long past = capturedPast.getOrDefault(account.key(), 0L);
                if (shouldBe + past < 0) {
                    differ(
                            "merchant-overdrawn",
                            account.key(),
                            "posted " + shouldBe + ", captured past the account " + past);
                }
            }
        }
        sums.forEach((currency, sum) -> {
            if (sum != 0) {
                differ("ledger-does-not-sum-to-zero", currency, "sum " + sum);
            }
        });
        for (Transfer transfer : books.transfers) {
            Books.Account debit = known.get(transfer.debit());
            Books.Account credit = known.get(transfer.credit());
            if (debit == null || credit == null) {
                differ(
                        "transfer-without-account",
                        transfer.id().toString(),
                        transfer.debit() + " -> " + transfer.credit());
            } else if (!debit.currency().equals(transfer.currency())
                    || !credit.currency().equals(transfer.currency())) {
                differ("transfer-in-another-currency", transfer.id().toString(), transfer.currency());
            }
        }
    }

    /**
     * What was captured into suspense because the merchant's account was not open, and has not been put there since, by
     * merchant's account: by so much it may be in debt for refunds.
     */
    private Map<String, Long> capturedPastTheirAccounts(Map<UUID, Transfer> byId) {
        Set<String> suspense = suspenseAccounts();
        var past = new HashMap<String, Long>();
        for (Transfer transfer : books.transfers) {
            if (transfer.kind().equals("CAPTURE") && suspense.contains(transfer.credit())) {
                Transfer hold = transfer.pendingOf() == null ? null : byId.get(transfer.pendingOf());
                if (hold != null) {
                    past.merge(hold.credit(), transfer.amount(), Math::addExact);
                }
            } else if (transfer.kind().equals("RETURN") && transfer.refund() == null) {
                past.merge(transfer.credit(), -transfer.amount(), Math::addExact);
            }
        }
        return past;
    }

    private Set<String> suspenseAccounts() {
        return books.accounts.stream()
                .filter(account -> account.kind().equals("SUSPENSE"))
                .map(Books.Account::key)
                .collect(Collectors.toSet());
    }

    private static void move(Map<String, Long> posted, Transfer transfer) {
        posted.merge(transfer.debit(), -transfer.amount(), Math::addExact);
        posted.merge(transfer.credit(), transfer.amount(), Math::addExact);
    }

    private void settle(Transfer transfer, Map<UUID, Transfer> byId, Set<UUID> settled, Map<String, Long> held) {
        Transfer hold = transfer.pendingOf() == null ? null : byId.get(transfer.pendingOf());
        if (hold == null || !hold.kind().equals("HOLD")) {
            differ("settled-without-hold", transfer.id().toString(), transfer.kind() + " of order " + transfer.order());
            return;
        }
        if (hold.amount() != transfer.amount() || !hold.debit().equals(transfer.debit())) {
            differ("settled-differs-from-hold", transfer.id().toString(), transfer.amount() + " of " + hold.amount());
        }
        if (!settled.add(hold.id())) {
            differ("hold-settled-twice", hold.id().toString(), "order " + hold.order());
        }
        held.merge(hold.debit(), -hold.amount(), Math::addExact);
    }

    // ---- orders against money and stock ----

    private void orders() {
        var captures = perOrder("CAPTURE");
        var holds = perOrder("HOLD");
        var voids = perOrder("VOID");
        Set<UUID> inAPersonsHands = books.inAPersonsHands();
        for (Order order : books.orders.values()) {
            String id = order.id().toString();
            boolean person = inAPersonsHands.contains(order.id());
            List<Transfer> captured = captures.getOrDefault(order.id(), List.of());
            var reservation = books.reservations.get(order.id());
            int stock = reservation == null ? 0 : reservation.state();
            int open = holds.getOrDefault(order.id(), List.of()).size()
                    - captured.size()
                    - voids.getOrDefault(order.id(), List.of()).size();
            if (PAST_THE_PIVOT.contains(order.state()) && !person) {
                if (captured.size() != 1
                        || captured.getFirst().amount() != order.amount()
                        || !captured.getFirst().currency().equals(order.currency())) {
                    differ(
                            "order-without-its-capture",
                            id,
                            order.amount() + " " + order.currency() + ", captures: " + amounts(captured));
                }
                if (stock != COMMITTED) {
                    differ("order-without-its-stock", id, "reservation in state " + stock);
                }
            }
            if (order.state() == CANCELED) {
                if (!captured.isEmpty()) {
                    differ("canceled-but-captured", id, amounts(captured));
                }
                if (stock == RESERVED || stock == COMMITTED) {
                    differ("canceled-but-stock-held", id, "reservation in state " + stock);
                }
            }
            if (TERMINAL.contains(order.state()) && open != 0) {
                differ("hold-left-on-settled-order", id, open + " open");
            }
            if (!TERMINAL.contains(order.state()) && !person) {
                differ("order-not-settled", id, stateName(order.state()));
            }
            if (reservation != null
                    && stock == COMMITTED
                    && !reservation.lines().equals(order.lines())) {
                differ("committed-other-lines", id, reservation.lines() + ", ordered " + order.lines());
            }
        }
        books.payments.keySet().stream()
                .filter(order -> !books.orders.containsKey(order))
                .forEach(order -> differ("payment-without-order", order.toString(), ""));
        books.reservations.keySet().stream()
                .filter(order -> !books.orders.containsKey(order))
                .forEach(order -> differ("reservation-without-order", order.toString(), ""));
    }

    private Map<UUID, List<Transfer>> perOrder(String kind) {
        return books.transfers.stream()
                .filter(transfer -> transfer.kind().equals(kind) && transfer.order() != null)
                .collect(Collectors.groupingBy(transfer -> Objects.requireNonNull(transfer.order())));
    }

    private static String amounts(List<Transfer> transfers) {
        return transfers.stream().map(Transfer::amount).toList().toString();
    }

    // ---- refunds ----

    private void refunds() {
        var paidBack = new HashMap<UUID, Long>();
        var paidBackByRefund = new HashMap<String, Long>();
        for (Transfer transfer : books.transfers) {
            if ((transfer.kind().equals("REFUND") || transfer.kind().equals("PAY_OUT"))
                    && transfer.order() != null
                    && transfer.refund() != null) {
                paidBack.merge(transfer.order(), transfer.amount(), Math::addExact);
                paidBackByRefund.merge(transfer.order() + "/" + transfer.refund(), transfer.amount(), Math::addExact);
            }
        }
        var completed = new HashMap<UUID, Long>();
        var restocked = books.restocks.stream()
                .collect(Collectors.toMap(restock -> restock.order() + "/" + restock.refund(), Books.Restock::lines));
        for (Books.Refund refund : books.refunds) {
            String id = refund.order() + "/" + refund.number();
            if (refund.state() == REFUND_COMPLETED) {
                completed.merge(refund.order(), refund.amount(), Math::addExact);
                if (paidBackByRefund.getOrDefault(id, 0L) != refund.amount()) {
                    differ(
                            "refund-differs-from-ledger",
                            id,
                            refund.amount() + ", paid back " + paidBackByRefund.getOrDefault(id, 0L));
                }
                List<Line> back = restocked.getOrDefault(id, List.of());
                if (!back.equals(refund.restock()) && !books.inAPersonsHands().contains(refund.order())) {
                    differ("restock-differs", id, "asked " + refund.restock() + ", done " + back);
                }
            } else if (restocked.containsKey(id) && !books.inAPersonsHands().contains(refund.order())) {
                differ("restock-without-completed-refund", id, restocked.get(id).toString());
            }
        }
        for (Order order : books.orders.values()) {
            long byRefunds = completed.getOrDefault(order.id(), 0L);
            long byLedger = paidBack.getOrDefault(order.id(), 0L);
            if (order.refunded() != byRefunds || byRefunds != byLedger) {
                differ(
                        "refunded-amount-differs",
                        order.id().toString(),
                        "order says " + order.refunded() + ", its refunds " + byRefunds + ", the ledger " + byLedger);
            }
            if (byLedger > order.amount()) {
                differ("refunds-exceed-capture", order.id().toString(), byLedger + " of " + order.amount());
            }
        }
    }

    // ---- stock ----

    private void shelves() {
        var reserved = new HashMap<String, Long>();
        var committed = new HashMap<String, Long>();
        for (var reservation : books.reservations.values()) {
            Map<String, Long> target =
                    reservation.state() == RESERVED ? reserved : reservation.state() == COMMITTED ? committed : null;
            if (target != null) {
                reservation
                        .lines()
                        .forEach(line -> target.merge(
                                reservation.merchant() + "/" + line.sku(), line.quantity(), Math::addExact));
            }
        }
        var returned = new HashMap<String, Long>();
        books.restocks.forEach(restock -> restock.lines()
                .forEach(line ->
                        returned.merge(restock.merchant() + "/" + line.sku(), line.quantity(), Math::addExact)));
        for (var shelf : books.shelves) {
            String key = shelf.merchant() + "/" + shelf.sku();
            long onHand = books.received.getOrDefault(key, 0L)
                    - committed.getOrDefault(key, 0L)
                    + returned.getOrDefault(key, 0L);
            if (shelf.onHand() != onHand) {
                differ(
                        "shelf-differs",
                        key,
                        "on hand " + shelf.onHand() + ", receipts - commits + restocks = " + onHand);
            }
            if (shelf.reserved() != reserved.getOrDefault(key, 0L)) {
                differ(
                        "reserved-differs",
                        key,
                        "reserved " + shelf.reserved() + ", open reservations " + reserved.getOrDefault(key, 0L));
            }
            if (shelf.reserved() > shelf.onHand() || shelf.reserved() < 0) {
                differ("oversold", key, shelf.reserved() + " of " + shelf.onHand());
            }
        }
    }

    // ---- suspense ----

    private void suspense() {
        var suspense = new TreeMap<String, Long>();
        Set<String> accounts = suspenseAccounts();
        for (Transfer transfer : books.transfers) {
            if (transfer.kind().equals("HOLD") || transfer.kind().equals("VOID")) {
                continue;
            }
            if (accounts.contains(transfer.debit())) {
                suspense.merge(transfer.currency(), -transfer.amount(), Math::addExact);
            }
            if (accounts.contains(transfer.credit())) {
                suspense.merge(transfer.currency(), transfer.amount(), Math::addExact);
            }
        }
        var covered = new TreeMap<String, Long>();
        for (var workOrder : books.openWorkOrders) {
            if (workOrder.currency() != null && workOrder.amount() > 0) {
                covered.merge(workOrder.currency(), workOrder.amount(), Math::addExact);
            }
        }
        var currencies = new HashSet<>(suspense.keySet());
        currencies.addAll(covered.keySet());
        for (String currency : currencies) {
            long inSuspense = suspense.getOrDefault(currency, 0L);
            long inWorkOrders = covered.getOrDefault(currency, 0L);
            if (inSuspense != inWorkOrders) {
                differ(
                        "suspense-not-covered",
                        currency,
                        "in suspense " + inSuspense + ", open work orders " + inWorkOrders);
            }
        }
    }

    // ---- notifications ----

    private void notifications() {
        var told = books.notifications.stream()
                .collect(Collectors.groupingBy(
                        n -> n.order() + "/" + n.kind() + "/" + Objects.requireNonNullElse(n.refund(), ""),
                        Collectors.counting()));
        var expected = new HashSet<String>();
        Set<UUID> person = books.inAPersonsHands();
        for (Order order : books.orders.values()) {
            if (order.state() == CANCELED) {
                expected.add(order.id() + "/OrderClosed/");
            } else if (PAST_THE_PIVOT.contains(order.state()) && order.state() != CONFIRMED) {
                expected.add(order.id() + "/OrderPaid/");
            }
        }
        for (var refund : books.refunds) {
            if (refund.state() == REFUND_COMPLETED) {
                expected.add(refund.order() + "/OrderRefunded/" + refund.number());
            } else if (refund.state() == REFUND_FAILED) {
                expected.add(refund.order() + "/OrderRefundFailed/" + refund.number());
            }
        }
        for (String outcome : expected) {
            if (!told.containsKey(outcome) && !person.contains(orderOf(outcome))) {
                differ("merchant-not-told", outcome, "no notification recorded");
            }
        }
        told.forEach((outcome, times) -> {
            if (!expected.contains(outcome)) {
                differ("merchant-told-what-is-not-so", outcome, "");
            } else if (times > 1) {
                differ("merchant-told-twice", outcome, times + " notifications");
            }
        });
    }

    private static UUID orderOf(String outcome) {
        return UUID.fromString(outcome.substring(0, outcome.indexOf('/')));
    }

    // ---- events ----

    private void events(Map<String, Set<UUID>> publishedIds) {
        var published = new HashMap<UUID, String>();
        publishedIds.forEach((topic, ids) -> ids.forEach(id -> published.put(id, topic)));
        books.outbox.forEach((id, topic) -> {
            String where = published.get(id);
            if (where == null) {
                differ("event-lost", id.toString(), "in the outbox for " + topic + ", not in Kafka");
            } else if (!where.equals(topic)) {
                differ("event-in-another-topic", id.toString(), "meant for " + topic + ", found in " + where);
            }
        });
        published.forEach((id, topic) -> {
            if (!books.outbox.containsKey(id)) {
                differ("event-without-outbox-row", id.toString(), "in " + topic);
            }
        });
    }

    private void differ(String rule, String subject, String detail) {
        differences.add(new Difference(rule, subject, detail));
    }

    private static String stateName(int state) {
        return switch (state) {
            case 10 -> "CREATED";
            case 20 -> "STOCK_RESERVED";
            case CONFIRMED -> "CONFIRMED";
            case PAID -> "PAID";
            case 50 -> "CANCELING";
            case CANCELED -> "CANCELED";
            case REFUNDING -> "REFUNDING";
            case PARTIALLY_REFUNDED -> "PARTIALLY_REFUNDED";
            case REFUNDED -> "REFUNDED";
            default -> "state " + state;
        };
    }
}
