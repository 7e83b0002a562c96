package dev.paysaga.account;

import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Balances of the accounts that are no wallets. Postings to them only append, so that a merchant's account is no bottleneck;
 * what they add up to is kept up to a watermark, and whoever asks adds the few transfers behind it.
 *
 * <p>The watermark is a transaction id below which no transaction is in progress: everything below it is visible and nothing
 * can be added there. A sequence number or a time would not do: both are given out before the commit, so a later number may
 * be seen while an earlier one is still to come, and would never be counted.
 */
@Component
final class BalanceRollup {

    private final JdbcClient jdbc;
    private final TransactionOperations transaction;

    BalanceRollup(JdbcClient jdbc, TransactionOperations transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /**
     * Moves the watermark, unless another replica is about to.
     *
     * @return the number of accounts whose balance was written
     */
    int roll() {
        return Objects.requireNonNull(transaction.execute(status -> isMine() ? rollUp() : 0));
    }

    /** An advisory lock, because locking the row would write, and with it move the watermark even if nothing is posted. */
    private boolean isMine() {
        return jdbc.sql("select pg_try_advisory_xact_lock('ledger_rollup'::regclass::oid::bigint)")
                .query(Boolean.class)
                .single();
    }

    /** In a statement of its own: its snapshot is taken after the lock, so the watermark it reads is the newest. */
    private int rollUp() {
        return jdbc.sql("""
                        with span as (
                            select upto as since, pg_snapshot_xmin(pg_current_snapshot()) as until from ledger_rollup
                        ), posting as (
                            select t.credit_account as account_key, t.amount::numeric as amount
                              from transfers t, span s
                             where t.tx >= s.since and t.tx < s.until and t.kind not in ('HOLD', 'VOID')
                            union all
                            select t.debit_account, -t.amount::numeric
                              from transfers t, span s
                             where t.tx >= s.since and t.tx < s.until and t.kind not in ('HOLD', 'VOID')
                        ), rolled as (
                            insert into balance_rollups as r (account_key, posted)
                            select p.account_key, sum(p.amount)
                              from posting p join accounts a using (account_key)
                             where a.kind <> 'WALLET'
                             group by p.account_key
                            on conflict (account_key) do update set posted = r.posted + excluded.posted
                            returning account_key
                        ), moved as (
                            update ledger_rollup set upto = s.until from span s where exists (select from posting)
                        )
                        select count(*)::int from rolled
                        """).query(Integer.class).single();
    }
}
