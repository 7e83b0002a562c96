package dev.paysaga.reconciliation;

import static dev.paysaga.reconciliation.OrderState.CANCELED;
import static dev.paysaga.reconciliation.OrderState.CONFIRMED;
import static dev.paysaga.reconciliation.OrderState.PARTIALLY_REFUNDED;
import static dev.paysaga.reconciliation.OrderState.PAST_THE_PIVOT;
import static dev.paysaga.reconciliation.OrderState.REFUNDED;
import static dev.paysaga.reconciliation.OrderState.REFUNDING;
import static dev.paysaga.reconciliation.OrderState.TERMINAL;

import dev.paysaga.reconciliation.Books.Line;
import dev.paysaga.reconciliation.Books.Notification;
import dev.paysaga.reconciliation.Books.Order;
import dev.paysaga.reconciliation.Books.Payment;
import dev.paysaga.reconciliation.Books.Refund;
import dev.paysaga.reconciliation.Books.Reservation;
import dev.paysaga.reconciliation.Books.Restock;
import dev.paysaga.reconciliation.Books.Transfer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Orders ↔ transfers ↔ reservations ↔ refunds ↔ notifications, for the orders of one window that are not moving. */
final class OrderCheck {

    private static final int REFUND_REQUESTED = 1, REFUND_COMPLETED = 2, REFUND_FAILED = 3, REFUND_SUSPENDED = 4;
    private static final int RESERVED = 1, COMMITTED = 2;
    private static final Set<String> HAS_NO_ORDER = Set.of("DEPOSIT");

    private final Books books;
    private final Set<UUID> moving;
    private final Findings findings;

    private final Map<UUID, List<Transfer>> transfers;
    private final Map<UUID, List<Refund>> refunds;
    private final Map<UUID, List<Notification>> notifications;
    private final Map<String, Restock> restocks;

    /** @param movingKeys of events on their way: their orders are not judged */
    OrderCheck(Books books, Set<String> movingKeys, Findings findings) {
        this.books = books;
        this.findings = findings;
        this.moving = new HashSet<>(books.planned);
        movingKeys.forEach(key -> {
            UUID order = Books.uuid(key);
            if (order != null) {
                moving.add(order);
            }
        });
        books.orders.values().stream().filter(Order::planned).map(Order::id).forEach(moving::add);
        this.transfers = books.transfers.stream()
                .filter(transfer -> transfer.order() != null)
                .collect(Collectors.groupingBy(transfer -> order(transfer)));
        this.refunds = books.refunds.stream().collect(Collectors.groupingBy(Refund::order));
        this.notifications = books.notifications.stream().collect(Collectors.groupingBy(Notification::order));
        this.restocks =
                books.restocks.stream().collect(Collectors.toMap(Restock::key, Function.identity(), (a, b) -> a));
    }

    void run() {
        for (Order order : books.orders.values()) {
            findings.countOrder(order.state());
            if (moving.contains(order.id())) {
                findings.count(Findings.MOVING, 1);
            } else {
                money(order);
                stock(order);
                refunds(order);
                notifications(order);
            }
        }
        orphans();
        findings.count("transfers", books.transfers.size());
        findings.count("reservations", books.reservations.size());
        findings.count("notifications", books.notifications.size());
    }

    // ---- money ----

    private void money(Order order) {
        List<Transfer> captures = of(order, "CAPTURE");
        List<Transfer> holds = of(order, "HOLD");
        List<Transfer> voids = of(order, "VOID");
        long captured = sum(captures);
        boolean person = books.inAPersonsHands.contains(order.id());
        if (PAST_THE_PIVOT.contains(order.state()) && !person) {
            if (captures.size() != 1
                    || captured != order.amount()
                    || !captures.getFirst().currency().equals(order.currency())) {
                differ(
                        "order-without-its-capture",
                        order,
                        "ordered " + order.amount() + " " + order.currency() + ", captured " + amounts(captures),
                        captured - order.amount());
            }
        }
        if (order.state() == CANCELED && !captures.isEmpty()) {
            differ("canceled-but-captured", order, "captured " + amounts(captures), captured);
        }
        Map<UUID, Transfer> byId = holds.stream().collect(Collectors.toMap(Transfer::id, Function.identity()));
        var settled = new HashSet<UUID>();
        for (Transfer end : Stream.concat(captures.stream(), voids.stream()).toList()) {
            Transfer hold = end.pendingOf() == null ? null : byId.get(end.pendingOf());
            if (hold == null) {
                differ(
                        "settled-without-hold",
                        order,
                        end.kind() + " " + end.id() + " of " + end.amount(),
                        end.amount());
            } else {
                if (hold.amount() != end.amount() || !hold.debit().equals(end.debit())) {
                    differ(
                            "settled-differs-from-hold",
                            order,
                            end.kind() + " " + end.id() + " of " + end.amount() + ", held " + hold.amount(),
                            end.amount() - hold.amount());
                }
                if (!settled.add(hold.id())) {
                    differ("hold-settled-twice", order, "hold " + hold.id(), hold.amount());
                }
            }
        }
        List<Transfer> open =
                holds.stream().filter(hold -> !settled.contains(hold.id())).toList();
        if (TERMINAL.contains(order.state()) && !open.isEmpty()) {
            differ("hold-left-on-settled-order", order, "still held " + amounts(open), sum(open));
        }
        if (!TERMINAL.contains(order.state()) && !person) {
            findings.about(
                    "order-not-settled",
                    order.id(),
                    order.merchant(),
                    OrderState.name(order.state()) + ", and nothing is on its way");
        }
    }

    // ---- stock ----

    private void stock(Order order) {
        Reservation reservation = books.reservations.get(order.id());
        int state = reservation == null ? 0 : reservation.state();
        String found = reservation == null ? "there is no reservation" : "the reservation is in state " + state;
        if (PAST_THE_PIVOT.contains(order.state())
                && state != COMMITTED
                && !books.inAPersonsHands.contains(order.id())) {
            findings.about("order-without-its-stock", order.id(), order.merchant(), found);
        }
        if (order.state() == CANCELED && (state == RESERVED || state == COMMITTED)) {
            findings.about("canceled-but-stock-held", order.id(), order.merchant(), found);
        }
        if (reservation != null && state == COMMITTED && !reservation.lines().equals(order.lines())) {
            findings.about(
                    "committed-other-lines",
                    order.id(),
                    order.merchant(),
                    reservation.lines() + ", ordered " + order.lines());
        }
    }

    // ---- refunds ----

    private void refunds(Order order) {
        List<Refund> ofOrder = refunds.getOrDefault(order.id(), List.of());
        var paidBack = new HashMap<String, Long>();
        for (Transfer transfer : transfers.getOrDefault(order.id(), List.of())) {
            if ((transfer.kind().equals("REFUND") || transfer.kind().equals("PAY_OUT")) && transfer.refund() != null) {
                paidBack.merge(transfer.refund(), transfer.amount(), Math::addExact);
            }
        }
        long completed = 0;
        for (Refund refund : ofOrder) {
            if (refund.state() == REFUND_COMPLETED) {
                completed += refund.amount();
                long paid = paidBack.getOrDefault(refund.number(), 0L);
                if (paid != refund.amount()) {
                    findings.about(
                            "refund-differs-from-ledger",
                            order.id(),
                            refund.key(),
                            order.merchant(),
                            "refunded " + refund.amount() + ", paid back " + paid,
                            order.currency(),
                            paid - refund.amount());
                }
            }
            restock(order, refund);
        }
        long byLedger = paidBack.values().stream().mapToLong(Long::longValue).sum();
        if (order.refunded() != completed || completed != byLedger) {
            differ(
                    "refunded-amount-differs",
                    order,
                    "order says " + order.refunded() + ", its refunds " + completed + ", the ledger " + byLedger,
                    order.refunded() - byLedger);
        }
        if (byLedger > order.amount()) {
            differ("refunds-exceed-capture", order, byLedger + " of " + order.amount(), byLedger - order.amount());
        }
        int derived = derived(order, ofOrder, completed);
        if (PAST_THE_PIVOT.contains(order.state()) && order.state() != CONFIRMED && order.state() != derived) {
            findings.about(
                    "order-state-differs-from-refunds",
                    order.id(),
                    order.merchant(),
                    OrderState.name(order.state()) + ", its refunds say " + OrderState.name(derived));
        }
    }

    private void restock(Order order, Refund refund) {
        if (books.inAPersonsHands.contains(order.id())) {
            return;
        }
        Restock restock = restocks.get(refund.key());
        List<Line> back = restock == null ? List.of() : restock.lines();
        if (refund.state() == REFUND_COMPLETED && !back.equals(refund.restock())) {
            findings.about(
                    "restock-differs",
                    order.id(),
                    refund.key(),
                    order.merchant(),
                    "asked for " + refund.restock() + ", done " + back,
                    null,
                    units(back) - units(refund.restock()));
        } else if (refund.state() != REFUND_COMPLETED && restock != null) {
            findings.about(
                    "restock-without-completed-refund",
                    order.id(),
                    refund.key(),
                    order.merchant(),
                    back.toString(),
                    null,
                    units(back));
        }
    }

    private static int derived(Order order, List<Refund> refunds, long completed) {
        boolean undecided = refunds.stream()
                .anyMatch(refund -> refund.state() == REFUND_REQUESTED || refund.state() == REFUND_SUSPENDED);
        if (undecided) {
            return REFUNDING;
        }
        return completed == 0 ? OrderState.PAID : completed < order.amount() ? PARTIALLY_REFUNDED : REFUNDED;
    }

    // ---- notifications ----

    private void notifications(Order order) {
        Map<String, Long> told = notifications.getOrDefault(order.id(), List.of()).stream()
                .collect(Collectors.groupingBy(Notification::key, Collectors.counting()));
        Set<String> expected = expected(order);
        for (String outcome : expected) {
            if (!told.containsKey(outcome) && !books.inAPersonsHands.contains(order.id())) {
                notified("merchant-not-told", order, outcome, "no notification is recorded");
            }
        }
        told.forEach((outcome, times) -> {
            if (!expected.contains(outcome)) {
                notified(
                        "merchant-told-what-is-not-so",
                        order,
                        outcome,
                        "the order is " + OrderState.name(order.state()));
            } else if (times > 1) {
                notified("merchant-told-twice", order, outcome, times + " notifications");
            }
        });
    }

    private Set<String> expected(Order order) {
        var expected = new HashSet<String>();
        if (order.state() == CANCELED) {
            expected.add(order.id() + "/OrderClosed/");
        } else if (PAST_THE_PIVOT.contains(order.state()) && order.state() != CONFIRMED) {
            expected.add(order.id() + "/OrderPaid/");
        }
        for (Refund refund : refunds.getOrDefault(order.id(), List.of())) {
            if (refund.state() == REFUND_COMPLETED) {
                expected.add(order.id() + "/OrderRefunded/" + refund.number());
            } else if (refund.state() == REFUND_FAILED) {
                expected.add(order.id() + "/OrderRefundFailed/" + refund.number());
            }
        }
        return expected;
    }

    // ---- what belongs to no order ----

    private void orphans() {
        orphans("payment-without-order", books.payments, Payment::merchant);
        orphans("reservation-without-order", books.reservations, Reservation::merchant);
        orphans("transfer-without-order", transfers, ofOrder -> null);
        orphans(
                "notification-without-order",
                notifications,
                ofOrder -> ofOrder.getFirst().merchant());
        books.transfers.stream()
                .filter(transfer -> transfer.order() == null
                        && transfer.workOrder() == null
                        && !HAS_NO_ORDER.contains(transfer.kind()))
                .forEach(transfer -> findings.about(
                        "transfer-without-order",
                        transfer.id(),
                        transfer.id().toString(),
                        null,
                        transfer.kind() + " of " + transfer.amount(),
                        transfer.currency(),
                        transfer.amount()));
    }

    private <T> void orphans(String rule, Map<UUID, T> byOrder, Function<T, @Nullable String> merchant) {
        byOrder.forEach((order, row) -> {
            if (!books.orders.containsKey(order) && !moving.contains(order)) {
                findings.about(rule, order, merchant.apply(row), "there is no such order");
            }
        });
    }

    // ---- ----

    private void differ(String rule, Order order, String detail, long amount) {
        findings.about(rule, order.id(), order.id().toString(), order.merchant(), detail, order.currency(), amount);
    }

    private void notified(String rule, Order order, String outcome, String detail) {
        findings.about(rule, order.id(), outcome, order.merchant(), detail, null, null);
    }

    private List<Transfer> of(Order order, String kind) {
        return transfers.getOrDefault(order.id(), List.of()).stream()
                .filter(transfer -> transfer.kind().equals(kind))
                .toList();
    }

    private static UUID order(Transfer transfer) {
        return Objects.requireNonNull(transfer.order());
    }

    private static long sum(List<Transfer> transfers) {
        return transfers.stream().mapToLong(Transfer::amount).sum();
    }

    private static long units(List<Line> lines) {
        return lines.stream().mapToLong(Line::quantity).sum();
    }

    private static String amounts(List<Transfer> transfers) {
        return transfers.isEmpty()
                ? "nothing"
                : transfers.stream().map(Transfer::amount).toList().toString();
    }
}
