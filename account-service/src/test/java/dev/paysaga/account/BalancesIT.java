package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.OrderConfirmed;
import java.math.BigInteger;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A merchant's balance is what was rolled up and the transfers since, whoever commits first. */
class BalancesIT extends OnRealServers {

    @Test
    void aCaptureThatCommitsLateIsNeverMissedAndNeverCountedTwice() {
        openAccounts("EUR", 100);
        UUID early = newOrder();
        UUID late = newOrder();
        poll(reserved(early, "EUR", 10), reserved(late, "EUR", 20));
        rollup.roll();

        transaction.executeWithoutResult(open -> {
            poll(new OrderConfirmed(late, merchant)); // joins this transaction, which stays open
            inAnotherThread(() -> {
                // the wallet is locked, so another merchant's money moves on
                UUID deposit = UUID.randomUUID();
                deposit("t", deposit.toString(), 7).expectStatus().isCreated();
                rollup.roll();
                rollup.roll();
                assertThat(takings()).isEqualTo(7);
            });
        });

        assertThat(takings()).isEqualTo(27);
        for (int round = 0; round < 3; round++) {
            rollup.roll();
            assertThat(takings()).isEqualTo(27);
        }
        assertTheBooksBalance();
    }

    @Test
    void rollingUpChangesNoBalance() {
        openAccounts("EUR", 100);
        for (int i = 1; i <= 5; i++) {
            UUID order = newOrder();
            poll(reserved(order, "EUR", 10));
            poll(new OrderConfirmed(order, merchant));
            assertThat(takings()).isEqualTo(10 * i);
            rollup.roll();
            assertThat(takings()).isEqualTo(10 * i);
        }
        assertThat(rolledUp("t")).isEqualTo(50);
        assertThat(rolledUp("w")).as("wallets are exact without it").isZero();
        assertTheBooksBalance();
    }

    @Test
    void aMerchantsTakingsMayExceedWhatOneWalletCanHold() {
        openAccounts("EUR", Long.MAX_VALUE);
        deposit("t", "D2", Long.MAX_VALUE).expectStatus().isCreated();
        UUID order = newOrder();
        poll(reserved(order, "EUR", Long.MAX_VALUE));
        poll(new OrderConfirmed(order, merchant));
        BigInteger twice = BigInteger.valueOf(Long.MAX_VALUE).shiftLeft(1);
        assertThat(takings()).isEqualTo(twice);
        rollup.roll();
        assertThat(takings()).isEqualTo(twice);
        assertTheBooksBalance();
    }

    @Test
    void theTrialBalanceFindsABalanceThatIsNotTheSumOfItsTransfers() {
        openAccounts("ISK", 100);
        jdbc.sql("update accounts set posted = posted + 1 where account_key = ?")
                .param(merchant + "/w")
                .update();
        try {
            get(OPS, "/v1/ledger/trial-balance")
                    .expectBody()
                    .jsonPath("$.balanced")
                    .isEqualTo(false)
                    .jsonPath("$.currencies[?(@.currency == 'ISK')].differences")
                    .isEqualTo(1);
        } finally {
            jdbc.sql("update accounts set posted = posted - 1 where account_key = ?")
                    .param(merchant + "/w")
                    .update();
        }
        get(OPS, "/v1/ledger/trial-balance")
                .expectBody()
                .jsonPath("$.currencies[?(@.currency == 'ISK')].accounts.WALLET.posted")
                .isEqualTo(100)
                .jsonPath("$.currencies[?(@.currency == 'ISK')].accounts.EXTERNAL.posted")
                .isEqualTo(-100);
        assertTheBooksBalance();
    }

    private static void inAnotherThread(Runnable work) {
        var failure = new Throwable[1];
        var thread = new Thread(work);
        thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
    }

    private int rolledUp(String accountId) {
        return jdbc.sql("select coalesce(sum(posted), 0)::int from balance_rollups where account_key = ?")
                .param(merchant + "/" + accountId)
                .query(Integer.class)
                .single();
    }
}
