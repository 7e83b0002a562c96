package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.reconciliation.Difference;
import dev.paysaga.stack.chaos.WorkOrders;
import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.demo.Reconciliation;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.Stack;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases damaged by hand, behind the services' backs, and what reconciliation says about it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DamageIT {

    private static final Duration SETTLING = Duration.ofMinutes(4);

    /** Whoever damages something may try twice. */
    private static final int TIMES = 2;

    /** The tables' own checks refuse most damage: what is left has to be thorough. */
    private static final String PAID = "state = 40, reason = null, stock_committed = true, payment_captured = true,"
            + " stock_released = false, payment_voided = false";

    private static final String CANCELED = "state = 51, stock_committed = false, payment_captured = false,"
            + " stock_released = true, payment_voided = true";

    private static final CommandLine PAYSAGA = new CommandLine("damage")
            .with("PAYSAGA_RECONCILIATION_EVERY", "2s")
            .with("PAYSAGA_RECONCILIATION_SETTLING", "1s");

    private final Stack stack = PAYSAGA.stack();

    private String merchant = "";
    private UUID paid = new UUID(0, 0);
    private UUID canceled = new UUID(0, 0);
    private UUID refunded = new UUID(0, 0);
    private UUID announced = new UUID(0, 0);
    private UUID reserved = new UUID(0, 0);

    /**
     * Something wrong in one database.
     *
     * @param damage run by the administrator of the database, in one transaction
     * @param repair the same, afterwards
     * @param differences rule, subject, and by how much: all that reconciliation must say, and nothing else
     */
    record Damage(String what, String service, List<String> damage, List<String> repair, List<String> differences) {

        @Override
        public String toString() {
            return what;
        }
    }

    @BeforeAll
    void some_orders() throws SQLException {
        assertThat(PAYSAGA.run("up", "--fresh")).matches(result -> result.code() == 0, "up succeeds");
        Merchant shop = new Services(stack).merchant("m-" + UUID.randomUUID());
        merchant = shop.id();
        shop.openMerchantAccount("shop", "EUR");
        shop.openWallet("alice", "EUR", 10_000);
        shop.receive("tea", "first", 100);
        paid = settled(shop, Merchant.order("1", "alice", "EUR", "tea", 3, 100), "PAID");
        canceled = settled(shop, Merchant.order("2", "alice", "EUR", "tea", 1_000, 1), "CANCELED");
        refunded = settled(shop, Merchant.order("3", "alice", "EUR", "tea", 2, 100), "PAID");
        shop.refund(refunded.toString(), "R1", 150, Map.of("tea", 1L));
        assertThat(Await.holds(
                        SETTLING,
                        () -> shop.order(refunded.toString()).text("status").equals("PARTIALLY_REFUNDED")))
                .isTrue();
        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
        announced = event("order", "OrderPaid", paid);
        reserved = event("inventory", "StockReserved", paid);
        assertThat(Await.holds(
                        SETTLING,
                        () -> ask("account", "select upto > (select max(tx) from transfers) from ledger_rollup")
                                .equals("t")))
                .as("balances are rolled up")
                .isTrue();
    }

    @AfterAll
    void down() {
        assertThat(PAYSAGA.run("down").code()).isZero();
    }

    Stream<Damage> damages() {
        String wallet = merchant + "/alice";
        UUID other = new UUID(announced.getMostSignificantBits(), announced.getLeastSignificantBits() ^ 1);
        return Stream.of(
                new Damage(
                        "a transfer is deleted",
                        "account",
                        withoutTrigger(
                                "create table kept as select * from transfers where order_id = '" + paid
                                        + "' and kind = 'CAPTURE'",
                                "delete from transfers where transfer_id in (select transfer_id from kept)"),
                        List.of("insert into transfers overriding system value select * from kept", "drop table kept"),
                        List.of(
                                "order-without-its-capture " + paid + " -300 EUR",
                                "hold-left-on-settled-order " + paid + " 300 EUR",
                                "balance-differs-from-ledger " + wallet + " -300 EUR",
                                "held-differs-from-ledger " + wallet + " -300 EUR",
                                "rollup-differs-from-ledger " + merchant + "/shop 300 EUR")),
                new Damage(
                        "the transfer of a refund is deleted",
                        "account",
                        withoutTrigger(
                                "create table kept as select * from transfers where order_id = '" + refunded
                                        + "' and kind = 'REFUND'",
                                "delete from transfers where transfer_id in (select transfer_id from kept)"),
                        List.of("insert into transfers overriding system value select * from kept", "drop table kept"),
                        List.of(
                                "refund-differs-from-ledger " + refunded + "/R1 -150 EUR",
                                "refunded-amount-differs " + refunded + " 150 EUR",
                                "balance-differs-from-ledger " + wallet + " 150 EUR",
                                "rollup-differs-from-ledger " + merchant + "/shop -150 EUR")),
                new Damage(
                        "a wallet's balance is changed",
                        "account",
                        List.of("update accounts set posted = posted + 50 where account_key = '" + wallet + "'"),
                        List.of("update accounts set posted = posted - 50 where account_key = '" + wallet + "'"),
                        List.of("balance-differs-from-ledger " + wallet + " 50 EUR")),
                new Damage(
                        "a shelf is changed",
                        "inventory",
                        List.of("update shelves set on_hand = on_hand + 5 where merchant_id = '" + merchant + "'"),
                        List.of("update shelves set on_hand = on_hand - 5 where merchant_id = '" + merchant + "'"),
                        List.of("shelf-differs " + merchant + "/tea 5")),
                new Damage(
                        "a reservation is said to be released",
                        "inventory",
                        List.of("update reservations set state = 3, reason = 'ORDER_CANCELED' where order_id = '" + paid
                                + "'"),
                        List.of("update reservations set state = 2, reason = null where order_id = '" + paid + "'"),
                        List.of("order-without-its-stock " + paid, "shelf-differs " + merchant + "/tea -3")),
                new Damage(
                        "a paid order is said to be canceled",
                        "order",
                        List.of("update orders set " + CANCELED + ", reason = 'TIMED_OUT' where order_id = '" + paid
                                + "'"),
                        List.of("update orders set " + PAID + " where order_id = '" + paid + "'"),
                        List.of(
                                "canceled-but-captured " + paid + " 300 EUR",
                                "canceled-but-stock-held " + paid,
                                "merchant-not-told " + paid + "/OrderClosed/",
                                "merchant-told-what-is-not-so " + paid + "/OrderPaid/")),
                new Damage(
                        "a canceled order is said to be paid",
                        "order",
                        List.of("update orders set " + PAID + " where order_id = '" + canceled + "'"),
                        List.of("update orders set " + CANCELED + ", reason = 'OUT_OF_STOCK' where order_id = '"
                                + canceled + "'"),
                        List.of(
                                "order-without-its-capture " + canceled + " -1000 EUR",
                                "order-without-its-stock " + canceled,
                                "merchant-not-told " + canceled + "/OrderPaid/",
                                "merchant-told-what-is-not-so " + canceled + "/OrderClosed/")),
                new Damage(
                        "an order is deleted",
                        "order",
                        List.of(
                                "create table kept as select * from orders where order_id = '" + paid + "'",
                                "set local session_replication_role = replica",
                                "delete from orders where order_id = '" + paid + "'"),
                        List.of("insert into orders select * from kept", "drop table kept"),
                        List.of(
                                "order-missing " + paid,
                                "payment-without-order " + paid,
                                "reservation-without-order " + paid,
                                "transfer-without-order " + paid,
                                "notification-without-order " + paid)),
                new Damage(
                        "an outbox row names an event that was never published",
                        "order",
                        List.of("update outbox set id = '" + other + "' where id = '" + announced + "'"),
                        List.of("update outbox set id = '" + announced + "' where id = '" + other + "'"),
                        List.of("event-lost " + other, "event-without-outbox-row " + announced)),
                new Damage(
                        "an inbox has forgotten an event",
                        "account",
                        List.of(
                                "create table kept as select * from inbox where event_id = '" + reserved + "'",
                                "delete from inbox where event_id = '" + reserved + "'"),
                        List.of("insert into inbox select * from kept", "drop table kept"),
                        List.of("event-not-heard " + reserved)),
                new Damage(
                        "a notification is deleted",
                        "notification",
                        List.of(
                                "create table kept as select * from notifications where order_id = '" + paid + "'",
                                "delete from notifications where order_id = '" + paid + "'"),
                        List.of("insert into notifications select * from kept", "drop table kept"),
                        List.of("merchant-not-told " + paid + "/OrderPaid/")));
    }

    private static List<String> withoutTrigger(String copy, String delete) {
        return List.of(
                copy,
                "alter table transfers disable trigger transfers_are_for_ever",
                delete,
                "alter table transfers enable trigger transfers_are_for_ever");
    }

    @ParameterizedTest
    @MethodSource("damages")
    void it_is_named_with_its_ids_and_amount_each_time_and_gone_once_repaired(Damage damage) throws SQLException {
        for (int time = 1; time <= TIMES; time++) {
            run(damage.service(), damage.damage());
            try {
                assertThat(differences()).as(damage.what()).containsExactlyInAnyOrderElementsOf(damage.differences());
            } finally {
                run(damage.service(), damage.repair());
            }
            assertThat(differences()).as("repaired: " + damage.what()).isEmpty();
        }
    }

    @Test
    void the_command_says_so_and_exits_with_1() throws SQLException {
        run("inventory", List.of("update shelves set on_hand = on_hand + 1 where merchant_id = '" + merchant + "'"));
        CommandLine.Result damaged = PAYSAGA.run("reconcile");
        run("inventory", List.of("update shelves set on_hand = on_hand - 1 where merchant_id = '" + merchant + "'"));
        CommandLine.Result repaired = PAYSAGA.run("reconcile");

        assertThat(damaged.output()).contains("shelf-differs  " + merchant + "/tea: on hand 97", "1 difference");
        assertThat(damaged.code()).isEqualTo(1);
        assertThat(repaired.output()).contains("the books balance: no difference");
        assertThat(repaired.code()).isZero();
    }

    @Test
    void the_console_asks_a_person_once_and_takes_it_back_when_the_difference_is_gone() throws SQLException {
        String shelf = merchant + "/tea";
        everythingEarlierIsGone();
        int before = announced();

        run("inventory", List.of("update shelves set on_hand = on_hand + 7 where merchant_id = '" + merchant + "'"));
        assertThat(Await.holds(SETTLING, () -> workOrders("OPEN").contains("shelf-differs " + shelf)))
                .as("a work order is open")
                .isTrue();
        assertThat(console("/v1/reconciliations/latest").body().path("differences"))
                .singleElement()
                .satisfies(difference -> {
                    assertThat(difference.path("rule").asText()).isEqualTo("shelf-differs");
                    assertThat(difference.path("subject").asText()).isEqualTo(shelf);
                    assertThat(difference.path("amount").asLong()).isEqualTo(7);
                });
        String asked = workOrders("OPEN");
        String found = finishedAt();
        assertThat(Await.holds(SETTLING, () -> !finishedAt().equals(found)))
                .as("found again")
                .isTrue();
        assertThat(workOrders("OPEN")).isEqualTo(asked);
        assertThat(announced()).as("announced once").isEqualTo(before + 1);

        run("inventory", List.of("update shelves set on_hand = on_hand - 7 where merchant_id = '" + merchant + "'"));
        assertThat(Await.holds(SETTLING, () -> !workOrders("OPEN").contains(shelf)))
                .as("nothing is asked any more")
                .isTrue();
        assertThat(workOrders("RESOLVED")).contains("shelf-differs " + shelf, "SETTLED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RETURN", "PAY_OUT"})
    void what_a_person_posts_is_covered_in_suspense_until_it_is_decided_and_nothing_is_left(String action)
            throws SQLException {
        String wallet = merchant + "/alice";
        String damaged = "balance-differs-from-ledger " + wallet;
        long before = balance(wallet);
        everythingEarlierIsGone();

        run("account", List.of("update accounts set posted = posted + 50 where account_key = '" + wallet + "'"));
        try {
            assertThat(Await.holds(SETTLING, () -> workOrders("OPEN").contains(damaged)))
                    .as("a work order is open")
                    .isTrue();
            String asked = openWorkOrder("console", "detail like '" + damaged + "%'");
            Map<String, Object> posting = Map.of(
                    "action",
                    "POST_TO_SUSPENSE",
                    "account",
                    wallet,
                    "currency",
                    "EUR",
                    "amount",
                    50L,
                    "note",
                    "whose?");
            assertThat(decide("console", asked, posting).ok()).isTrue();
            assertThat(Await.holds(SETTLING, () -> suspense() == 50))
                    .as("the owner of the ledger has posted it")
                    .isTrue();

            assertThat(balance(wallet)).isEqualTo(before);
            assertThat(differences())
                    .as("suspense is covered, and the balance is as far from its transfers as it was")
                    .containsExactly(damaged + " 50 EUR");
            assertThat(workOrders("OPEN")).as("it is not asked about again").doesNotContain(wallet);

            String suspended = openWorkOrder("account", "kind = 'DIFFERENCE_SUSPENDED' and amount = 50");
            assertThat(decide("account", suspended, Map.of("action", action)).ok())
                    .isTrue();

            assertThat(suspense()).isZero();
            assertThat(balance(wallet)).isEqualTo(action.equals("RETURN") ? before + 50 : before);
            assertThat(differences()).containsExactly(damaged + " 50 EUR");
        } finally {
            run("account", List.of("update accounts set posted = posted - 50 where account_key = '" + wallet + "'"));
        }
        assertThat(differences()).as("repaired").isEmpty();
    }

    @Test
    void what_cannot_be_posted_is_told_by_the_owner_of_the_ledger() throws SQLException {
        String nobodys = merchant + "/nobody";
        String wallet = merchant + "/alice";
        everythingEarlierIsGone();
        run("account", List.of("update accounts set posted = posted + 60 where account_key = '" + wallet + "'"));
        try {
            assertThat(Await.holds(SETTLING, () -> workOrders("OPEN").contains("Off by 60 EUR")))
                    .as("a work order is open")
                    .isTrue();
            String asked = openWorkOrder("console", "detail like '%" + wallet + "%Off by 60 EUR%'");
            Map<String, Object> posting =
                    Map.of("action", "POST_TO_SUSPENSE", "account", nobodys, "currency", "EUR", "amount", 60L);
            assertThat(decide("console", asked, posting).ok()).isTrue();

            String refused = "kind = 'DIFFERENCE_NOT_POSTED' and status = 'OPEN' and detail like '%" + nobodys
                    + "%UNKNOWN_ACCOUNT%'";
            assertThat(Await.holds(
                            SETTLING,
                            () -> ask("account", "select count(*) from work_orders where " + refused)
                                    .equals("1")))
                    .as("the refusal is a work order")
                    .isTrue();
            assertThat(suspense()).isZero();
            assertThat(decide("account", openWorkOrder("account", refused), Map.of("action", "WRITE_OFF"))
                            .ok())
                    .isTrue();
        } finally {
            run("account", List.of("update accounts set posted = posted - 60 where account_key = '" + wallet + "'"));
        }
        assertThat(differences()).as("repaired").isEmpty();
    }

    /** Not before the console itself has seen a repair is the same damage a new difference to it, and asked about anew. */
    private void everythingEarlierIsGone() {
        assertThat(Await.holds(
                        SETTLING,
                        () -> console("/v1/reconciliations/latest")
                                .body()
                                .path("differences")
                                .isEmpty()))
                .as("the console has seen that earlier damages are repaired")
                .isTrue();
    }

    private Answer decide(String service, String workOrder, Map<String, Object> decision) {
        var services = new Services(stack);
        return services.post(
                service,
                "/v1/work-orders/" + workOrder + "/resolution",
                Services.json(decision),
                services.token(null, List.of("ops")));
    }

    private String openWorkOrder(String service, String condition) {
        return ask(service, "select id from work_orders where status = 'OPEN' and " + condition);
    }

    private long balance(String account) {
        return Long.parseLong(ask("account", "select posted from accounts where account_key = '" + account + "'"));
    }

    private long suspense() {
        return new WorkOrders(stack).suspense();
    }

    /** How often the console has told that it asks a person about a shelf. */
    private int announced() {
        return Integer.parseInt(ask(
                "console",
                "select count(*) from outbox where event_type = 'WorkOrderOpened' and aggregate_id in"
                        + " (select aggregate_id::text from work_orders where detail like 'shelf-differs%')"));
    }

    private String finishedAt() {
        return console("/v1/reconciliations/latest")
                .body()
                .path("reconciliation")
                .path("finishedAt")
                .asText();
    }

    private String workOrders(String status) {
        return console("/v1/work-orders?kind=RECONCILIATION_DIFFERENCE&status=" + status)
                .body()
                .toString();
    }

    private Answer console(String path) {
        var services = new Services(stack);
        return services.get("console", path, services.token(null, List.of("ops")));
    }

    private List<String> differences() {
        return Reconciliation.of(stack).differences().stream()
                .map(DamageIT::inShort)
                .toList();
    }

    private static String inShort(Difference difference) {
        return difference.rule() + " " + difference.subject()
                + (difference.amount() == null ? "" : " " + difference.amount())
                + (difference.currency() == null ? "" : " " + difference.currency());
    }

    private static UUID settled(Merchant shop, String order, String status) {
        Answer placed = shop.place(order);
        Answer settled = shop.await(placed.text("orderId"), Merchant.TERMINAL, SETTLING);
        assertThat(settled.text("status")).isEqualTo(status);
        return UUID.fromString(placed.text("orderId"));
    }

    private UUID event(String service, String type, UUID order) {
        return UUID.fromString(ask(
                service, "select id from outbox where event_type = '" + type + "' and aggregate_id = '" + order + "'"));
    }

    private String ask(String service, String query) {
        try (Connection connection = stack.databases().administer(service);
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            assertThat(rows.next()).as(query).isTrue();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private void run(String service, List<String> statements) throws SQLException {
        try (Connection connection = stack.databases().administer(service);
                Statement sql = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String statement : statements) {
                sql.execute(statement);
            }
            connection.commit();
        }
    }
}
