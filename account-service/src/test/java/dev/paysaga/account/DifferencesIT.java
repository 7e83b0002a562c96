package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Adjustments;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.WorkOrderOpened;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.inbox.Reactor;
import dev.paysaga.testkit.Records;
import dev.paysaga.wire.ConfluentWire;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** Differences that a person has posted to suspense, on a real database. A test has a currency of its own. */
class DifferencesIT extends OnRealServers {

    @Autowired
    private Reactor<?> reactor;

    @Autowired
    private ConfluentWire wire;

    private final UUID asked = EventIds.next(System.currentTimeMillis());
    private final UUID about = EventIds.named(0, merchant + "/w");

    @Test
    void isPostedOnceWithAWorkOrderOfItsOwnAlsoWhenTheInboxForgotAndGoesBackWhereItCameFrom() {
        openAccounts("SEK", 1000);
        ConsumerRecord<byte[], byte[]> command = record(post("w", "SEK", 40));

        reactor.handle(List.of(command));
        reactor.handle(List.of(command));
        jdbc.sql("delete from inbox").update();
        reactor.handle(List.of(command, record(post("w", "SEK", 40))));

        UUID suspended = openWorkOrders(about).getFirst();
        assertThat(suspended).isEqualTo(Adjustments.suspendedBy(asked));
        assertThat(wallet()).isEqualTo("960/0");
        assertThat(inSuspense("SEK")).isEqualTo(40);
        assertThat(moved()).containsExactly("ADJUSTMENT 40");
        assertThat(workOrder(suspended)).isEqualTo("DIFFERENCE_SUSPENDED SEK 40 OPEN");
        assertTheBooksBalance();

        resolve(suspended, "{'action': 'RETURN', 'amount': 40, 'note': 'it was right'}")
                .expectStatus()
                .isOk();
        resolve(suspended, "{'action': 'RETURN'}").expectStatus().isOk();
        resolve(suspended, "{'action': 'PAY_OUT'}").expectStatus().isEqualTo(409);
        jdbc.sql("delete from inbox").update();
        reactor.handle(List.of(command, record(returned(suspended))));

        assertThat(wallet()).isEqualTo("1000/0");
        assertThat(inSuspense("SEK")).isZero();
        assertThat(moved()).containsExactly("ADJUSTMENT 40", "RETURN 40");
        assertThat(parked()).isZero();
        assertTheBooksBalance();
    }

    @Test
    void whatAnAccountLacksComesOutOfSuspenseAndIsPaidFromAnotherAccountByCommand() {
        openAccounts("NOK", 1000);
        open("v", "WALLET", "NOK").expectStatus().isCreated();

        assertThat(poll(post("t", "NOK", -25))).containsExactly("WorkOrderOpened");

        UUID suspended = openWorkOrders(about).getFirst();
        assertThat(takings()).isEqualTo(25);
        assertThat(inSuspense("NOK")).isEqualTo(-25);
        assertThat(workOrder(suspended)).isEqualTo("DIFFERENCE_SUSPENDED NOK -25 OPEN");
        assertTheBooksBalance();

        assertThat(poll(paidBy(suspended, "v"))).as("there is nothing").containsExactly("WorkOrderOpened");
        assertThat(openWorkOrders(about)).containsExactly(suspended);
        assertThat(poll(paidBy(suspended, "w"), paidBy(suspended, "w")))
                .containsExactly("WorkOrderResolved", "WorkOrderResolved");

        assertThat(wallet()).isEqualTo("975/0");
        assertThat(inSuspense("NOK")).isZero();
        assertTheBooksBalance();
    }

    @Test
    void whatIsRefusedIsAskedAboutOnceParksNothingAndCanBePostedAfterAll() {
        openAccounts("DKK", 100);
        UUID order = newOrder();
        poll(reserved(order, "DKK", 80));

        List<SpecificRecord> said = announce(List.of(post("w", "DKK", 21)));

        assertThat(said).singleElement().isInstanceOfSatisfying(WorkOrderOpened.class, opened -> {
            assertThat(opened.getKind()).isEqualTo("DIFFERENCE_NOT_POSTED");
            assertThat(opened.getAmount()).as("nothing is in suspense").isNull();
            assertThat(opened.getDetail()).contains("INSUFFICIENT_FUNDS", merchant + "/w");
        });
        UUID refused = openWorkOrders(about).getFirst();
        poll(new OrderConfirmed(order, merchant));
        deposit("w", "D2", 1000).expectStatus().isCreated();
        assertThat(poll(post("w", "DKK", 21)))
                .as("it is not tried again by itself")
                .containsExactly("WorkOrderOpened");
        assertThat(openWorkOrders(about)).containsExactly(refused);
        assertThat(moved()).isEmpty();

        String found = "{'action': 'POST_TO_SUSPENSE', 'account': '%s/%s', 'currency': '%s', 'amount': 21}";
        resolve(refused, found.formatted(merchant, "w", "EUR"))
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.detail")
                .value(String.class, detail -> assertThat(detail).contains("CURRENCY_MISMATCH"));
        resolve(refused, found.formatted(merchant, "w", "DKK")).expectStatus().isOk();
        resolve(refused, found.formatted(merchant, "w", "DKK")).expectStatus().isOk();

        assertThat(moved()).containsExactly("ADJUSTMENT 21");
        assertThat(workOrder(refused)).isEqualTo("DIFFERENCE_NOT_POSTED null null RESOLVED");
        assertThat(openWorkOrders(about)).containsExactly(Adjustments.suspendedBy(refused));
        assertTheBooksBalance();
    }

    @Test
    void everyRefusalIsAWorkOrderAndNothingMoves() {
        openAccounts("ISK", 100);
        block("t").expectStatus().isOk();
        Map<PostToSuspense, String> refused = Map.of(
                post(UUID.randomUUID(), merchant + "/nobody", null, "ISK", 1), "UNKNOWN_ACCOUNT",
                post(UUID.randomUUID(), Account.suspense("ISK"), null, "ISK", 1), "UNKNOWN_ACCOUNT",
                post(UUID.randomUUID(), null, "PAYER", "ISK", 1), "UNKNOWN_ACCOUNT",
                post(UUID.randomUUID(), merchant + "/w", null, "EUR", 1), "CURRENCY_MISMATCH",
                post(UUID.randomUUID(), merchant + "/w", null, "ISK", 101), "INSUFFICIENT_FUNDS",
                post(UUID.randomUUID(), merchant + "/t", null, "ISK", 1), "INSUFFICIENT_FUNDS",
                post(UUID.randomUUID(), merchant + "/t", null, "ISK", -1), "ACCOUNT_BLOCKED",
                post(UUID.randomUUID(), merchant + "/w", null, "ISK", 0), "INVALID_AMOUNT");

        refused.forEach((command, why) -> {
            reactor.handle(List.of(record(command)));
            assertThat(jdbc.sql("select detail from work_orders where id = ? and status = 'OPEN'")
                            .param(Adjustments.refusedBy(command.getWorkOrderId()))
                            .query(String.class)
                            .single())
                    .contains(why);
        });

        assertThat(moved()).isEmpty();
        assertThat(parked()).isZero();
        resolve(Adjustments.refusedBy(refused.keySet().iterator().next().getWorkOrderId()), "{'action': 'WRITE_OFF'}")
                .expectStatus()
                .isOk();
    }

    @Test
    void theAccountMayBeOneOfTheOrdersSides() {
        openAccounts("HUF", 500);
        UUID order = newOrder();
        poll(reserved(order, "HUF", 300), new OrderConfirmed(order, merchant));

        poll(new PostToSuspense(asked, order, merchant, null, "MERCHANT", "HUF", 300L, "alice", null));
        UUID suspended = Adjustments.suspendedBy(asked);
        assertThat(takings()).isZero();
        assertThat(inSuspense("HUF")).isEqualTo(300);
        resolve(suspended, "{'action': 'PAY_OUT', 'account': '" + merchant + "/w'}")
                .expectStatus()
                .isOk();

        assertThat(wallet()).isEqualTo("500/0");
        assertThat(inSuspense("HUF")).isZero();
        assertTheBooksBalance();
    }

    @Test
    void twoPostingsAtOnceNeverTakeTheMerchantsMoneyTwice() throws Exception {
        openAccounts("CZK", 1000);
        UUID order = newOrder();
        poll(reserved(order, "CZK", 100), new OrderConfirmed(order, merchant));
        List<Callable<Boolean>> postings = List.of(take("CZK"), take("CZK"), take("CZK"), take("CZK"));

        atOnce(postings);

        assertThat(moved()).containsExactly("ADJUSTMENT 60");
        assertThat(takings()).isEqualTo(40);
        assertTheBooksBalance();
    }

    private Callable<Boolean> take(String currency) {
        PostToSuspense command = post(UUID.randomUUID(), merchant + "/t", null, currency, 60);
        return () -> persistentPoll(command).isEmpty();
    }

    @Test
    void itIsPartOfTheStatement() {
        openAccounts("PLN", 100);
        poll(post("w", "PLN", 30));
        UUID suspended = Adjustments.suspendedBy(asked);

        String row = "$.adjustments[?(@.workOrderId == '" + suspended + "')]";
        get(OPS, "/v1/statement?sections=adjustments,transfers")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath(row + ".accountKey")
                .isEqualTo(merchant + "/w")
                .jsonPath(row + ".adjusted")
                .isEqualTo(30)
                .jsonPath(row + ".status")
                .isEqualTo("OPEN")
                .jsonPath(row + ".owed")
                .isEqualTo(30)
                .jsonPath("$.transfers[?(@.workOrderId == '" + suspended + "')].kind")
                .isEqualTo("ADJUSTMENT");
    }

    private PostToSuspense post(String account, String currency, long amount) {
        return post(asked, merchant + "/" + account, null, currency, amount);
    }

    private PostToSuspense post(
            UUID workOrder, @Nullable String account, @Nullable String side, String currency, long amount) {
        return new PostToSuspense(workOrder, about, merchant, account, side, currency, amount, "alice", null);
    }

    private ResolveWorkOrder returned(UUID workOrder) {
        return new ResolveWorkOrder(workOrder, about, merchant, "RETURN", null, null, "ops", null, null);
    }

    private ResolveWorkOrder paidBy(UUID workOrder, String account) {
        return new ResolveWorkOrder(
                workOrder, about, merchant, "PAY_OUT", null, null, "ops", null, merchant + "/" + account);
    }

    private ConsumerRecord<byte[], byte[]> record(SpecificRecord command) {
        return new Records(wire, new PaymentSaga()).of(newOrder(), command);
    }

    private ResponseSpec resolve(UUID workOrder, String decision) {
        return post(OPS, "/v1/work-orders/" + workOrder + "/resolution", decision);
    }

    private long inSuspense(String currency) {
        return jdbc.sql("""
                        select coalesce(sum(case when credit_account = :key then amount else -amount end), 0)
                          from transfers where :key in (debit_account, credit_account)
                        """)
                .param("key", Account.suspense(currency))
                .query(Long.class)
                .single();
    }

    /** What was moved because of differences that this test's merchant has. */
    private List<String> moved() {
        return jdbc.sql("""
                        select t.kind || ' ' || t.amount from transfers t join work_orders w on w.id = t.work_order_id
                         where w.merchant_id = ? order by t.seq
                        """).param(merchant).query(String.class).list();
    }

    private String workOrder(UUID id) {
        return jdbc.sql("select kind, currency, amount, status from work_orders where id = ?")
                .param(id)
                .query((row, n) ->
                        row.getString(1) + " " + row.getString(2) + " " + row.getString(3) + " " + row.getString(4))
                .single();
    }

    private int parked() {
        return jdbc.sql("select count(*) from parked_events where key = ? and closed_at is null")
                .param(about.toString())
                .query(Integer.class)
                .single();
    }
}
