package dev.paysaga.simulation;

import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.explorer.Cell;
import dev.paysaga.explorer.Participant;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.RefundStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** Every cell of the reactions' tables: each state of each service that may hear each event. */
final class Cells {

    private static final List<Participant> CAST =
            List.of(new OrderRole(true), new InventoryRole(1), new AccountRole(1), new NotificationRole());

    private static final List<String> REFUNDS_OF_ORDER = Stream.concat(
                    Stream.of("no such refund"),
                    names(RefundStatus.values())
                            .filter(name -> !name.equals("UNSEEN"))
                            .map("refund "::concat))
            .toList();

    private static final List<String> BEFORE_THE_CAPTURE =
            List.of("UNSEEN", "AUTHORIZED", "REVERSED", "FAILED", "CANCELED");

    /** A payment that was captured meets a refund's request in the state of that refund. */
    private static final List<String> REFUNDS_OF_ACCOUNT = Stream.of(
                    BEFORE_THE_CAPTURE.stream(),
                    Stream.of("refund new"),
                    names(PaymentRefund.Status.values()).map("refund "::concat))
            .flatMap(states -> states)
            .toList();

    private Cells() {}

    static Set<Cell> all() {
        var cells = new TreeSet<Cell>();
        for (Participant participant : CAST) {
            for (String event : heardBy(participant)) {
                statesOf(participant.name(), event)
                        .forEach(state -> cells.add(new Cell(participant.name(), state, event)));
            }
        }
        for (String asked : List.of(
                "client places the order",
                "merchant cancels",
                "time-out",
                "merchant refunds 1",
                "a person has the requests sent again")) {
            names(OrderStatus.values()).forEach(state -> cells.add(new Cell("order", state, asked)));
        }
        return cells;
    }

    private static Set<String> heardBy(Participant participant) {
        return participant.hears().stream()
                .flatMap(topic -> new PaymentSaga().schemasOf(topic).stream())
                .filter(schema -> !participant.passesBy(blank(schema)))
                .map(Schema::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Object blank(Schema schema) {
        try {
            return Class.forName(schema.getFullName()).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no class was generated for " + schema.getFullName(), e);
        }
    }

    private static List<String> statesOf(String participant, String event) {
        return switch (participant) {
            case "order" ->
                event.startsWith("Refund")
                        ? REFUNDS_OF_ORDER
                        : names(OrderStatus.values()).toList();
            case "inventory" -> names(Reservation.Status.values()).toList();
            case "account" ->
                event.equals("RefundRequested")
                        ? REFUNDS_OF_ACCOUNT
                        : names(Payment.Status.values()).toList();
            default -> List.of("SILENT", "TOLD");
        };
    }

    private static Stream<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name);
    }

    // ---- what cannot be reached, and why ----

    private record Unreachable(String participant, String event, List<String> states, String because) {}

    private static Unreachable never(String participant, String event, String states, String because) {
        return new Unreachable(participant, event, List.of(states.split(" *, *")), because);
    }

    private static final String PAID = "PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED";

    private static final String STORED_FIRST = "an order is stored before anybody hears of it";
    private static final String ONLY_TO_CONFIRMED =
            "it answers OrderConfirmed, and an order that confirmed never cancels";
    private static final String ONLY_TO_CANCELED = "it answers OrderCanceled, and an order that cancels never confirms";
    private static final String PROMISED = "the order confirmed, so its stock and its money were promised, for good";
    private static final String ASKED_FIRST = "account answers only what it was asked";
    private static final String FINAL = "account's answer about a refund is final";
    private static final String CONFIRMED_LAST =
            "an order confirms only what is reserved and authorized, and nothing undoes that but its own cancellation";
    private static final String DECLINED_IS_RESERVED =
            "account declines only what inventory has reserved, and an order so declined is not confirmed";
    private static final String PAID_IS_BOTH = "only a paid order is refunded, and paid means captured and committed";

    private static final List<Unreachable> UNREACHABLE = List.of(
            never("order", "PaymentAuthorized", "UNSEEN", STORED_FIRST),
            never("order", "PaymentCaptured", "UNSEEN", STORED_FIRST),
            never("order", "PaymentCaptured", "CREATED, STOCK_RESERVED, CANCELING, CANCELED", ONLY_TO_CONFIRMED),
            never("order", "PaymentDeclined", "UNSEEN", STORED_FIRST),
            never("order", "PaymentDeclined", "CONFIRMED, " + PAID, PROMISED),
            never("order", "PaymentVoided", "UNSEEN", STORED_FIRST),
            never("order", "PaymentVoided", "CREATED, STOCK_RESERVED, CONFIRMED, " + PAID, ONLY_TO_CANCELED),
            never("order", "RefundCompleted", "no such refund", ASKED_FIRST),
            never("order", "RefundCompleted", "refund FAILED", FINAL),
            never("order", "RefundFailed", "no such refund", ASKED_FIRST),
            never("order", "RefundFailed", "refund COMPLETED", FINAL),
            never("order", "RefundSuspended", "no such refund", ASKED_FIRST),
            never("order", "StockCommitted", "UNSEEN", STORED_FIRST),
            never("order", "StockCommitted", "CREATED, STOCK_RESERVED, CANCELING, CANCELED", ONLY_TO_CONFIRMED),
            never("order", "StockRejected", "UNSEEN", STORED_FIRST),
            never("order", "StockRejected", "CONFIRMED, " + PAID, PROMISED),
            never("order", "StockReleased", "UNSEEN", STORED_FIRST),
            never("order", "StockReleased", "CONFIRMED, " + PAID, PROMISED),
            never("order", "StockReserved", "UNSEEN", STORED_FIRST),
            never("order", "a person has the requests sent again", "UNSEEN", STORED_FIRST),
            never("inventory", "OrderCanceled", "COMMITTED", ONLY_TO_CANCELED),
            never("inventory", "OrderConfirmed", "UNSEEN, RELEASED, REJECTED, REFUSED", CONFIRMED_LAST),
            never("inventory", "PaymentDeclined", "UNSEEN, COMMITTED, REJECTED, REFUSED", DECLINED_IS_RESERVED),
            never("inventory", "RefundCompleted", "UNSEEN, RESERVED, RELEASED, REJECTED, REFUSED", PAID_IS_BOTH),
            never("account", "OrderCanceled", "CAPTURED, REFUNDING, REFUNDED", ONLY_TO_CANCELED),
            never("account", "OrderConfirmed", "UNSEEN, REVERSED, FAILED, CANCELED", CONFIRMED_LAST),
            never("account", "RefundRequested", String.join(",", BEFORE_THE_CAPTURE), PAID_IS_BOTH),
            never("account", "RefundRequested", "refund FAILED", "the order bounds refunds first"),
            never("notification", "OrderRefunded", "SILENT", "OrderPaid travels before it in the same topic"),
            never("notification", "OrderRefundFailed", "SILENT", "OrderPaid travels before it in the same topic"));

    /** Each with the argument why. */
    static Map<Cell, String> unreachable() {
        var cells = new TreeMap<Cell, String>();
        UNREACHABLE.forEach(row -> row.states()
                .forEach(state -> cells.put(new Cell(row.participant(), state, row.event()), row.because())));
        return cells;
    }

    /** What was neither exercised nor is known to be out of reach. */
    static Set<Cell> gaps(Coverage coverage) {
        var gaps = new TreeSet<>(all());
        gaps.removeAll(coverage.cells().keySet());
        gaps.removeAll(unreachable().keySet());
        return gaps;
    }
}
