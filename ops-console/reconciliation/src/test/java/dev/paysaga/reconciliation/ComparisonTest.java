package dev.paysaga.reconciliation;

import static dev.paysaga.reconciliation.World.CANCELED;
import static dev.paysaga.reconciliation.World.HOLD;
import static dev.paysaga.reconciliation.World.PAID;
import static dev.paysaga.reconciliation.World.POSTING;
import static dev.paysaga.reconciliation.World.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ComparisonTest {

    private final World world = new World();

    ComparisonTest() throws IOException {}

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void books_that_balance_are_clean() {
        Report report = world.compare();

        assertThat(report.differences()).isEmpty();
        assertThat(report.text())
                .contains("PARTIALLY_REFUNDED", "the books balance: no difference")
                .doesNotContain("not judged");
    }

    /** What is damaged, and every difference that it makes: rule, subject, and by how much. */
    static Stream<Arguments> damages() {
        return Stream.of(
                damage(
                        "a capture is deleted",
                        w -> w.remove("account/transfers", "CAPTURE"),
                        "order-without-its-capture " + PAID + " -300",
                        "hold-left-on-settled-order " + PAID + " 300"),
                damage(
                        "a capture is too small",
                        w -> w.change("account/transfers", r -> r.put("amount", 299), "CAPTURE"),
                        "order-without-its-capture " + PAID + " -1",
                        "settled-differs-from-hold " + PAID + " -1"),
                damage(
                        "a void is deleted",
                        w -> w.remove("account/transfers", "VOID"),
                        "hold-left-on-settled-order " + CANCELED + " 100"),
                damage(
                        "a hold is deleted",
                        w -> w.remove("account/transfers", "\"transferId\":\"" + HOLD),
                        "settled-without-hold " + PAID + " 300"),
                damage(
                        "a refund is deleted from the ledger",
                        w -> w.remove("account/transfers", "REFUND"),
                        "refund-differs-from-ledger " + PAID + "/R1 -150",
                        "refunded-amount-differs " + PAID + " 150"),
                damage(
                        "an order's refunded amount is changed",
                        w -> w.change("order/orders", r -> r.put("refundedAmount", 151), PAID),
                        "refunded-amount-differs " + PAID + " 1"),
                damage(
                        "a wallet's balance is changed",
                        w -> w.change("account/accounts", r -> r.put("posted", 900), "m/alice"),
                        "balance-differs-from-ledger m/alice 50"),
                damage(
                        "a wallet's holds are changed",
                        w -> w.change("account/accounts", r -> r.put("held", 7), "m/alice"),
                        "held-differs-from-ledger m/alice 7"),
                damage(
                        "more is held than there is",
                        w -> w.change(
                                "account/accounts", r -> r.put("held", 851).put("heldByTransfers", 851), "m/alice"),
                        "wallet-overdrawn m/alice -1"),
                damage(
                        "a roll-up is changed",
                        w -> w.change("account/accounts", r -> r.put("rolledUp", 3), "m/shop"),
                        "rollup-differs-from-ledger m/shop 3"),
                damage(
                        "the ledger does not add up",
                        w -> w.change("account/accounts", r -> r.put("postedByTransfers", 151), "m/shop"),
                        "ledger-does-not-sum-to-zero EUR 1"),
                damage(
                        "a merchant owes",
                        w -> {
                            w.change("account/accounts", r -> r.put("postedByTransfers", -5), "m/shop");
                            w.change("account/accounts", r -> r.put("postedByTransfers", -845), "EXTERNAL");
                        },
                        "merchant-overdrawn m/shop -5"),
                damage(
                        "an account is deleted",
                        w -> w.change("account/accounts", r -> r.putNull("kind"), "m/shop"),
                        "transfer-without-account m/shop 150"),
                damage(
                        "money in suspense is in nobody's hands",
                        w -> {
                            w.change("account/accounts", r -> r.put("postedByTransfers", 10), "SUSPENSE");
                            w.change("account/accounts", r -> r.put("postedByTransfers", -1010), "EXTERNAL");
                        },
                        "suspense-not-covered EUR 10"),
                damage(
                        "a posting's work order is gone",
                        w -> {
                            w.posted("m/alice", 10, 0, 0, null, null);
                            w.change("account/accounts", r -> r.put("postedByTransfers", 10), "SUSPENSE");
                            w.change("account/accounts", r -> r.put("postedByTransfers", -1010), "EXTERNAL");
                        },
                        "adjustment-not-covered " + POSTING + " 10",
                        "suspense-not-covered EUR 10"),
                damage(
                        "a posting's work order was closed, and its money is still in suspense",
                        w -> {
                            w.posted("m/alice", 10, 0, 0, "RESOLVED", 10L);
                            w.change("account/accounts", r -> r.put("postedByTransfers", 10), "SUSPENSE");
                            w.change("account/accounts", r -> r.put("postedByTransfers", -1010), "EXTERNAL");
                        },
                        "adjustment-not-covered " + POSTING + " 10",
                        "suspense-not-covered EUR 10"),
                damage(
                        "what was posted left suspense, and its work order is open",
                        w -> {
                            w.posted("m/alice", -10, 0, 10, "OPEN", -10L);
                            w.add("account/workOrders", "{'aggregateId':'%s','currency':'EUR','amount':-10}", id(40));
                        },
                        "adjustment-not-covered " + POSTING + " 10",
                        "suspense-not-covered EUR 10"),
                damage(
                        "more was posted than its work order says",
                        w -> {
                            w.posted("m/alice", 10, 0, 0, "OPEN", 8L);
                            w.add("account/workOrders", "{'aggregateId':'%s','currency':'EUR','amount':8}", id(40));
                            w.change("account/accounts", r -> r.put("postedByTransfers", 10), "SUSPENSE");
                            w.change("account/accounts", r -> r.put("postedByTransfers", -1010), "EXTERNAL");
                        },
                        "adjustment-not-covered " + POSTING + " 2",
                        "suspense-not-covered EUR 2"),
                damage(
                        "a merchant owes more than a person has taken",
                        w -> {
                            w.posted("m/shop", 160, 0, -160, "RESOLVED", 160L);
                            w.change("account/accounts", r -> r.put("postedByTransfers", -161), "m/shop");
                            w.change("account/accounts", r -> r.put("postedByTransfers", -689), "EXTERNAL");
                        },
                        "merchant-overdrawn m/shop -1"),
                damage(
                        "a shelf is changed",
                        w -> w.change("inventory/shelves", r -> r.put("onHand", 9)),
                        "shelf-differs m/tea 1"),
                damage(
                        "units are reserved for nobody",
                        w -> w.change("inventory/shelves", r -> r.put("reserved", 2)),
                        "reserved-differs m/tea 2"),
                damage(
                        "more is promised than there is",
                        w -> w.change(
                                "inventory/shelves", r -> r.put("reserved", 9).put("reservedByReservations", 9)),
                        "oversold m/tea -1"),
                damage(
                        "a paid order is said to be canceled",
                        w -> w.change("order/orders", r -> r.put("state", 51).put("refundedAmount", 150), PAID),
                        "canceled-but-captured " + PAID + " 300",
                        "canceled-but-stock-held " + PAID,
                        "merchant-not-told " + PAID + "/OrderClosed/",
                        "merchant-told-what-is-not-so " + PAID + "/OrderPaid/"),
                damage(
                        "a canceled order is said to be paid",
                        w -> w.change("order/orders", r -> r.put("state", 40), CANCELED),
                        "order-without-its-capture " + CANCELED + " -100",
                        "order-without-its-stock " + CANCELED,
                        "merchant-not-told " + CANCELED + "/OrderPaid/",
                        "merchant-told-what-is-not-so " + CANCELED + "/OrderClosed/"),
                damage(
                        "a refunded order is said to be paid",
                        w -> w.change("order/orders", r -> r.put("state", 40), PAID),
                        "order-state-differs-from-refunds " + PAID),
                damage(
                        "an order is said to be confirmed",
                        w -> w.change("order/orders", r -> r.put("state", 30), PAID),
                        "order-not-settled " + PAID,
                        "merchant-told-what-is-not-so " + PAID + "/OrderPaid/"),
                damage(
                        "an order is deleted",
                        w -> w.remove("order/orders", CANCELED),
                        "payment-without-order " + CANCELED,
                        "reservation-without-order " + CANCELED,
                        "transfer-without-order " + CANCELED,
                        "notification-without-order " + CANCELED),
                damage(
                        "an order is deleted that was announced",
                        w -> {
                            w.remove("order/orders", PAID);
                            w.remove("account/payments", PAID);
                            w.remove("account/transfers", PAID);
                            w.remove("inventory/reservations", PAID);
                            w.remove("notification/notifications", PAID);
                        },
                        "order-missing " + PAID),
                damage(
                        "a reservation is deleted",
                        w -> w.remove("inventory/reservations", PAID),
                        "order-without-its-stock " + PAID),
                damage(
                        "a reservation is kept",
                        w -> w.change("inventory/reservations", r -> r.put("state", 1), CANCELED),
                        "canceled-but-stock-held " + CANCELED),
                damage(
                        "other goods were sent",
                        w -> w.change(
                                "inventory/reservations",
                                r -> r.withArray("lines").removeAll(),
                                PAID),
                        "committed-other-lines " + PAID),
                damage(
                        "a restock is deleted",
                        w -> w.remove("inventory/restocks", PAID),
                        "restock-differs " + PAID + "/R1 -1"),
                damage(
                        "a notification is deleted",
                        w -> w.remove("notification/notifications", "OrderRefunded"),
                        "merchant-not-told " + PAID + "/OrderRefunded/R1"),
                damage(
                        "a notification is there twice",
                        w -> w.add(
                                "notification/notifications",
                                "{'orderId':'%s','merchantId':'m','kind':'OrderPaid','refundNo':null}",
                                PAID),
                        "merchant-told-twice " + PAID + "/OrderPaid/"),
                damage("an event is not in its topic", w -> w.lose(24), "event-lost " + id(24)),
                damage(
                        "an event is not in its topic, and was heard",
                        w -> w.lose(22),
                        "event-lost " + id(22),
                        "event-heard-and-not-published " + id(22)),
                damage(
                        "an event is in another topic",
                        w -> w.change("order/outbox", r -> r.put("topic", "order.compensations"), id(22)),
                        "event-in-another-topic " + id(22)),
                damage(
                        "an outbox row is deleted",
                        w -> w.remove("order/outbox", id(22)),
                        "event-without-outbox-row " + id(22)),
                damage("an inbox row is deleted", w -> w.remove("account/inbox", id(21)), "event-not-heard " + id(21)));
    }

    private static Arguments damage(String what, Consumer<World> damage, String... differences) {
        return arguments(Named.of(what, damage), List.of(differences));
    }

    @ParameterizedTest
    @MethodSource("damages")
    void each_damage_is_named_with_its_ids_and_amount_and_nothing_else_is(
            Consumer<World> damage, List<String> differences) {
        damage.accept(world);

        assertThat(world.compare().differences())
                .extracting(difference -> difference.rule() + " " + difference.subject()
                        + (difference.amount() == null ? "" : " " + difference.amount()))
                .containsExactlyInAnyOrderElementsOf(differences);
    }

    /** What looks like a difference for as long as something about the order is on its way. */
    static Stream<Arguments> movements() {
        return Stream.of(
                movement("an event is not relayed yet", w -> {
                    w.lose(22);
                    w.remove("notification/inbox", id(22));
                    w.change("order/outbox", r -> r.put("relayed", false), id(22));
                }),
                movement("an event is not heard yet", w -> {
                    w.behind("notification.forward");
                    w.remove("notification/inbox", id(22));
                }),
                movement("an event came while the statements were read", w -> {
                    w.allNew();
                    w.remove("order/outbox", id(22));
                }),
                movement(
                        "a deadline will come",
                        w -> w.change("order/orders", r -> r.put("deadlineAt", "2026-12-01T12:01:00Z"), PAID)),
                movement(
                        "a refund will be tried again",
                        w -> w.change("account/refunds", r -> r.put("nextAttemptAt", "2026-12-01T12:01:00Z"))));
    }

    private static Arguments movement(String what, Consumer<World> movement) {
        return arguments(Named.of(what, movement));
    }

    @ParameterizedTest
    @MethodSource("movements")
    void an_order_that_is_moving_is_not_judged(Consumer<World> movement) {
        world.change("order/orders", row -> row.put("state", 30), PAID);
        world.remove("notification/notifications", PAID);
        movement.accept(world);

        Report report = world.compare();

        assertThat(report.differences()).isEmpty();
        assertThat(report.text()).contains("orders on their way, not judged");
    }

    @Test
    void what_is_in_a_persons_hands_is_no_difference() {
        world.remove("account/transfers", "\"orderId\":\"" + PAID);
        world.remove("inventory/restocks", PAID);
        world.remove("notification/notifications", PAID);
        world.remove("order/refunds", PAID);
        world.change("order/orders", row -> row.put("state", 30).put("refundedAmount", 0), PAID);
        world.add("account/workOrders", "{'aggregateId':'%s','currency':null,'amount':null}", PAID);

        assertThat(world.compare().differences()).isEmpty();
    }

    @Test
    void what_a_person_has_posted_to_suspense_is_no_difference_while_and_after_it_is_decided() {
        world.posted("m/shop", 160, 0, 0, "OPEN", 160L);
        world.add("account/workOrders", "{'aggregateId':'%s','currency':'EUR','amount':160}", id(40));
        world.add("account/transfers", ofWorkOrder(id(41), "m/shop", "~/SUSPENSE-EUR", "ADJUSTMENT"));
        world.change("account/accounts", row -> row.put("postedByTransfers", -10), "m/shop");
        world.change("account/accounts", row -> row.put("postedByTransfers", 160), "SUSPENSE");
        assertThat(world.compare().differences()).isEmpty();

        world.remove("account/workOrders", id(40));
        world.remove("account/adjustments", POSTING);
        world.posted("m/shop", 160, -160, 0, "RESOLVED", 160L);
        world.add("account/transfers", ofWorkOrder(id(42), "~/SUSPENSE-EUR", "m/shop", "RETURN"));
        world.change("account/accounts", row -> row.put("postedByTransfers", 150), "m/shop");
        world.change("account/accounts", row -> row.put("postedByTransfers", 0), "SUSPENSE");
        assertThat(world.compare().differences()).isEmpty();
    }

    private static String ofWorkOrder(UUID id, String debit, String credit, String kind) {
        return "{'transferId':'%s','debitAccount':'%s','creditAccount':'%s','amount':160,'currency':'EUR','kind':'%s',"
                        .formatted(id, debit, credit, kind)
                + "'orderId':null,'refundNo':null,'pendingOf':null,'workOrderId':'" + POSTING + "'}";
    }

    @Test
    void an_event_that_is_parked_is_not_missed_in_the_inbox() {
        world.remove("account/inbox", id(21));
        world.add("account/parkedEvents", "{'consumer':'account','eventId':'%s','key':'%s'}", id(21), PAID);

        assertThat(world.compare().differences()).isEmpty();
    }

    @Test
    void nothing_is_said_when_a_service_does_not_state_what_it_has() {
        world.close();

        assertThatThrownBy(world::compare)
                .isInstanceOf(StatementUnavailable.class)
                .hasMessageContaining("order");
    }

    @Test
    void a_row_that_cannot_be_understood_is_no_clean_book() {
        world.change("order/orders", (ObjectNode row) -> row.remove("orderId"), PAID);

        assertThatThrownBy(world::compare)
                .isInstanceOf(StatementUnavailable.class)
                .hasMessageContaining("orderId");
    }
}
