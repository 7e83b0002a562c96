package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RestockLine;
import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.saga.state.TransitionLog;
import dev.paysaga.saga.workorder.WorkOrders;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcOperations;

/** Decisions meet a real database. The polls here have no inbox: whatever stops a repetition is state or ledger. */
class PaymentsIT extends OnRealServers {

    @Autowired
    private JdbcOperations operations;

    @Autowired
    private RestockJson restocks;

    @AfterEach
    void theBooksBalance() {
        assertTheBooksBalance();
    }

    @Test
    void aHoldIsCapturedOnceAndBelongsToTheMerchant() {
        openAccounts("EUR", 50);
        UUID order = newOrder();

        assertThat(poll(reserved(order, "EUR", 30))).containsExactly("PaymentAuthorized");
        assertThat(wallet()).isEqualTo("50/30");
        assertThat(takings()).isZero();

        assertThat(poll(new OrderConfirmed(order, merchant))).containsExactly("PaymentCaptured");
        assertThat(poll(new OrderConfirmed(order, merchant))).containsExactly("PaymentCaptured");
        assertThat(wallet()).isEqualTo("20/0");
        assertThat(takings()).isEqualTo(30);
        assertThat(transfers(order)).containsExactly("HOLD", "CAPTURE");
        assertThat(history(order)).containsExactly("0>3 v1", "3>5 v2");

        get(token, "/v1/payments/" + order)
                .expectStatus()
                .isOk()
                .expectBody()
                .json("{\"status\": \"CAPTURED\", \"payerAccountId\": \"w\", \"amount\": 30, \"currency\": \"EUR\"}");
    }

    @Test
    void aCanceledOrderGetsItsHoldVoided() {
        openAccounts("JPY", 50);
        UUID order = newOrder();
        poll(reserved(order, "JPY", 30));

        assertThat(poll(new OrderCanceled(order, merchant, "TIMED_OUT"))).containsExactly("PaymentVoided");
        assertThat(poll(new OrderCanceled(order, merchant, "TIMED_OUT"))).containsExactly("PaymentVoided");

        assertThat(wallet()).isEqualTo("50/0");
        assertThat(transfers(order)).containsExactly("HOLD", "VOID");
        assertThat(poll(reserved(order, "JPY", 30))).containsExactly("PaymentDeclined");
    }

    @Test
    void aCancellationThatComesFirstFencesTheOrderOff() {
        openAccounts("EUR", 50);
        UUID order = newOrder();

        assertThat(poll(new OrderCanceled(order, merchant, "TIMED_OUT"))).containsExactly("PaymentVoided");
        assertThat(announce(List.of(reserved(order, "EUR", 30))))
                .containsExactly(new PaymentDeclined(order, merchant, "ORDER_CANCELED"));

        assertThat(stateOf(order)).isEqualTo("10 v1");
        assertThat(wallet()).isEqualTo("50/0");
    }

    @Test
    void aDeclineIsRememberedWithItsReason() {
        openAccounts("EUR", 29);
        UUID order = newOrder();
        var declined = new PaymentDeclined(order, merchant, "INSUFFICIENT_FUNDS");

        assertThat(announce(List.of(reserved(order, "EUR", 30)))).containsExactly(declined);
        deposit("w", "D2", 1000);
        assertThat(announce(List.of(reserved(order, "EUR", 30)))).containsExactly(declined);
        assertThat(transfers(order)).isEmpty();
    }

    @Test
    void ofOnePollTheDecisionsSeeEachOther() {
        openAccounts("EUR", 50);
        assertThat(poll(
                        reserved(newOrder(), "EUR", 20),
                        reserved(newOrder(), "EUR", 20),
                        reserved(newOrder(), "EUR", 20)))
                .containsExactly("PaymentAuthorized", "PaymentAuthorized", "PaymentDeclined");
        assertThat(wallet()).isEqualTo("50/40");
    }

    @Test
    void whatCannotFollowLeavesNothingBehind() {
        openAccounts("EUR", 50);
        UUID order = newOrder();
        assertThatExceptionOfType(ImpossibleTransition.class)
                .isThrownBy(() -> poll(new OrderConfirmed(order, merchant)));
        assertThat(stateOf(order)).isNull();
    }

    @RepeatedTest(10)
    void ofTwoOrdersForTheLastMoneyOneIsHeld() throws Exception {
        openAccounts("EUR", 30);
        Callable<List<String>> one = () -> persistentPoll(reserved(newOrder(), "EUR", 30));
        assertThat(atOnce(List.of(one, one)))
                .containsExactlyInAnyOrder(List.of("PaymentAuthorized"), List.of("PaymentDeclined"));
        assertThat(wallet()).isEqualTo("30/30");
    }

    @RepeatedTest(10)
    void closingAWalletAndHoldingOnItExcludeEachOther() throws Exception {
        openAccounts("EUR", 30);
        UUID order = newOrder();
        List<String> outcome = atOnce(List.of(
                () -> persistentPoll(reserved(order, "EUR", 30)).getFirst(),
                () -> post(token, "/v1/accounts/w/close", "")
                        .returnResult()
                        .getStatus()
                        .toString()));
        assertThat(outcome).isIn(List.of("PaymentAuthorized", "409 CONFLICT"), List.of("PaymentDeclined", "200 OK"));
    }

    @RepeatedTest(10)
    void aCaptureThatRacesTheClosingOfTheMerchantsAccountFindsAPlace() throws Exception {
        openAccounts("EUR", 30);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 30));
        atOnce(List.of(
                () -> persistentPoll(new OrderConfirmed(order, merchant)),
                () -> post(token, "/v1/accounts/t/close", "").expectStatus().isOk()));
        assertThat(wallet()).isEqualTo("0/0");
        assertThat(takings().intValueExact() == 30)
                .isNotEqualTo(openWorkOrders(order).size() == 1);
    }

    @Test
    void closingTheMerchantsAccountWaitsForThosePostingsThatHaveSeenItOpen() throws Exception {
        openAccounts("EUR", 30);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 30));
        try (var threads = Executors.newSingleThreadExecutor()) {
            var closing = Objects.requireNonNull(transaction.execute(open -> {
                poll(new OrderConfirmed(order, merchant)); // joins this transaction
                var close = threads.submit(() ->
                        post(token, "/v1/accounts/t/close", "").expectStatus().isOk());
                await().atMost(PATIENCE).until(this::somebodyWaitsForALock);
                assertThat(close.isDone()).isFalse();
                return close;
            }));
            closing.get();
        }
        assertThat(takings()).isEqualTo(30);
    }

    @RepeatedTest(10)
    void aHoldThatRacesItsCancellationIsNeverLeftOver() throws Exception {
        openAccounts("EUR", 30);
        UUID order = newOrder();
        atOnce(List.of(
                () -> persistentPoll(reserved(order, "EUR", 30)),
                () -> persistentPoll(new OrderCanceled(order, merchant, "TIMED_OUT"))));
        assertThat(wallet()).isEqualTo("30/0");
        assertThat(stateOf(order)).isIn("8 v2", "10 v1");
    }

    @Test
    void aSuspendedCaptureIsCreditedOnceItsAccountIsOpen() {
        openAccounts("EUR", 30);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 30));
        block("t").expectStatus().isOk();

        assertThat(poll(new OrderConfirmed(order, merchant))).containsExactly("PaymentCaptured", "WorkOrderOpened");
        UUID workOrder = openWorkOrders(order).getFirst();
        assertThat(poll(resolve(workOrder, order, "RETRY"))).containsExactly("WorkOrderOpened");
        assertThat(takings()).isZero();

        unblock("t").expectStatus().isOk();
        assertThat(poll(resolve(workOrder, order, "RETRY"))).containsExactly("WorkOrderResolved");
        assertThat(poll(resolve(workOrder, order, "PAY_OUT"))).containsExactly("WorkOrderResolved");
        assertThat(takings()).isEqualTo(30);
        assertThat(openWorkOrders(order)).isEmpty();
    }

    @Test
    void aRefundHandsItsRestockOn() {
        UUID order = captured("KWD");
        assertThat(announce(List.of(refund(order, "R1", "KWD", 10))))
                .containsExactly(
                        new RefundCompleted(order, merchant, "R1", "KWD", 10L, List.of(new RestockLine("tea", 1L))));
        assertThat(wallet()).isEqualTo("30/0");
        assertThat(takings()).isEqualTo(20);
        assertThat(poll(refund(order, "R2", "KWD", 21))).containsExactly("RefundFailed");
        assertThat(poll(refund(order, "R3", "KWD", 20))).containsExactly("RefundCompleted");
        assertThat(stateOf(order)).isEqualTo("7 v5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RETRY", "PAY_OUT", "RETURN"})
    void aRefundRefusedThreeTimesGoesIntoSuspenseUntilAPersonDecides(String action) {
        UUID order = captured("EUR");
        block("w").expectStatus().isOk();

        assertThat(poll(refund(order, "R1", "EUR", 10))).isEmpty();
        assertThat(dueWork.tryDueRefunds()).isEqualTo(1);
        assertThat(openWorkOrders(order)).isEmpty();
        assertThat(takings()).isEqualTo(30);
        assertThat(dueWork.tryDueRefunds()).isEqualTo(1);
        assertThat(dueWork.tryDueRefunds()).as("never by itself again").isZero();

        assertThat(takings()).isEqualTo(20);
        assertThat(transfers(order)).containsExactly("HOLD", "CAPTURE", "SUSPEND");
        assertThat(announcedFor(order)).endsWith("RefundSuspended", "WorkOrderOpened");
        assertThat(poll(refund(order, "R1", "EUR", 10))).containsExactly("RefundSuspended");
        assertTheBooksBalance();

        UUID workOrder = openWorkOrders(order).getFirst();
        unblock("w").expectStatus().isOk();
        String answer = action.equals("RETURN") ? "RefundFailed" : "RefundCompleted";
        assertThat(poll(resolve(workOrder, order, action))).containsExactly(answer, "WorkOrderResolved");
        assertThat(poll(resolve(workOrder, order, action))).containsExactly(answer, "WorkOrderResolved");
        assertThat(poll(refund(order, "R1", "EUR", 10))).containsExactly(answer);
        assertThat(openWorkOrders(order)).isEmpty();
        assertThat(wallet()).isEqualTo(action.equals("RETRY") ? "30/0" : "20/0");
        assertThat(takings()).isEqualTo(action.equals("RETURN") ? 30 : 20);
    }

    @RepeatedTest(20)
    void twoReplicasTryADueRefundOnce() throws Exception {
        UUID order = captured("EUR");
        block("w");
        poll(refund(order, "R1", "EUR", 10));
        assertThat(atOnce(List.<Callable<Integer>>of(dueWork::tryDueRefunds, dueWork::tryDueRefunds)))
                .as("one tries, the other passes by or comes later")
                .allMatch(tried -> tried <= 1);
        int attempts = jdbc.sql("select attempts from payment_refunds where order_id = ?")
                .param(order)
                .query(Integer.class)
                .single();
        assertThat(attempts).isBetween(2, 3);
        while (dueWork.tryDueRefunds() > 0) {}
        assertThat(openWorkOrders(order)).hasSize(1);
    }

    @Test
    void anOverdueHoldAsksAPersonOnce() {
        openAccounts("EUR", 30);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 30));
        while (dueWork.reportOverdueHolds() > 0) {}
        assertThat(openWorkOrders(order)).hasSize(1);
        assertThat(poll(resolve(openWorkOrders(order).getFirst(), order, "RESEND")))
                .containsExactly("PaymentAuthorized", "WorkOrderResolved");
        assertThat(dueWork.reportOverdueHolds()).isZero();
        assertThat(openWorkOrders(order)).isEmpty();
    }

    @Test
    void everythingHeardAgainInAnyOrderWithoutAnInboxMovesNoMoney() {
        openAccounts("EUR", 100);
        UUID paid = newOrder();
        UUID canceled = newOrder();
        UUID fenced = newOrder();
        var story = new ArrayList<SpecificRecord>(List.of(
                reserved(paid, "EUR", 30),
                reserved(canceled, "EUR", 30),
                new OrderCanceled(fenced, merchant, "TIMED_OUT"),
                reserved(fenced, "EUR", 30),
                new OrderConfirmed(paid, merchant),
                new OrderCanceled(canceled, merchant, "TIMED_OUT"),
                refund(paid, "R1", "EUR", 10),
                refund(paid, "R2", "EUR", 25),
                refund(paid, "R3", "EUR", 20)));
        story.forEach(this::poll);
        String before = wallet();
        long ledger = ledgerRows();
        var random = new Random(7);
        for (int round = 0; round < 5; round++) {
            Collections.shuffle(story, random);
            story.forEach(this::poll);
        }
        assertThat(wallet()).isEqualTo(before).isEqualTo("100/0");
        assertThat(ledgerRows()).isEqualTo(ledger);
    }

    @Test
    void theNumberOfStatementsDoesNotGrowWithThePoll() {
        openAccounts("EUR", 10_000);
        assertThat(statementsFor(1)).isEqualTo(statementsFor(100)).isLessThanOrEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update transfers set amount = amount + 1",
                "delete from transfers",
                "truncate transfers",
            })
    void theLedgerIsOnlyAppendedTo(String change) {
        captured("EUR");
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> jdbc.sql(change).update())
                .withMessageContaining("only appended to");
    }

    @Test
    void theDatabaseRefusesWhatTheCodeWouldNeverDo() {
        UUID order = captured("EUR");
        String hold = "(select transfer_id from transfers where order_id = '%s' and kind = 'HOLD')".formatted(order);
        String more = "insert into transfers (transfer_id, debit_account, credit_account, amount, currency, kind,"
                + " order_id, pending_of) values (gen_random_uuid(), '%s/w', '%s/t', 30, 'EUR', 'VOID', '%s', %s)";
        for (String wrong : List.of(
                more.formatted(merchant, merchant, order, hold),
                "update accounts set held = posted + 1 where account_key = '" + merchant + "/w'",
                "update accounts set posted = -1 where account_key = '" + merchant + "/w'",
                "update accounts set posted = 1 where account_key = '" + merchant + "/t'",
                "update payments set refunded_amount = amount + 1 where order_id = '" + order + "'")) {
            assertThatExceptionOfType(DataIntegrityViolationException.class)
                    .as(wrong)
                    .isThrownBy(() -> jdbc.sql(wrong).update());
        }
    }

    private UUID captured(String currency) {
        openAccounts(currency, 50);
        UUID order = newOrder();
        poll(reserved(order, currency, 30));
        poll(new OrderConfirmed(order, merchant));
        return order;
    }

    private List<String> announcedFor(UUID order) {
        return jdbc.sql("select event_type from outbox where aggregate_id = ? order by seq")
                .param(order.toString())
                .query(String.class)
                .list();
    }

    private boolean somebodyWaitsForALock() {
        return jdbc.sql("""
                        select exists (select from pg_stat_activity
                                        where datname = current_database() and wait_event_type = 'Lock')
                        """).query(Boolean.class).single();
    }

    private long ledgerRows() {
        return jdbc.sql("select count(*) from transfers").query(Long.class).single();
    }

    private int statementsFor(int orders) {
        var statements = new AtomicInteger();
        var counting = (JdbcOperations) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JdbcOperations.class}, (proxy, method, arguments) -> {
                    statements.incrementAndGet();
                    try {
                        return method.invoke(operations, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        var meters = new SimpleMeterRegistry();
        var store = new PaymentStore(
                counting,
                TransitionLog.of(counting, meters, "payment"),
                new WorkOrders(counting),
                outbox,
                restocks,
                new CompensationMeter(meters),
                new AccountProperties(
                        List.of(Duration.ZERO, Duration.ZERO),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO));
        AccountParticipant original = account;
        try {
            account = new AccountParticipant(store);
            assertThat(poll(IntStream.range(0, orders)
                            .mapToObj(i -> reserved(newOrder(), "EUR", 1))
                            .toArray(SpecificRecord[]::new)))
                    .hasSize(orders)
                    .containsOnly("PaymentAuthorized");
        } finally {
            account = original;
        }
        return statements.get();
    }
}
