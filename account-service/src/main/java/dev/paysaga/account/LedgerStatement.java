package dev.paysaga.account;

import dev.paysaga.saga.ops.StatementSection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What account-service has written down, for reconciliation. */
@Configuration(proxyBeanMethods = false)
class LedgerStatement {

    /**
     * Whole in every statement: a balance is right only in view of all its transfers, which are added up again here. Accounts
     * that transfers name and that do not exist are listed without a kind.
     */
    @Bean
    static StatementSection accountsOfStatement() {
        return new StatementSection("accounts", """
                with moved as (
                    select p.account_key, t.currency,
                           sum(p.amount) as posted,
                           sum(p.amount) filter (where t.tx < w.upto) as rolled_up
                      from ledger_rollup w, transfers t
                     cross join lateral (values (t.debit_account, -t.amount), (t.credit_account, t.amount))
                           as p (account_key, amount)
                     where t.kind not in ('HOLD', 'VOID')
                     group by p.account_key, t.currency
                ), promised as (
                    select h.debit_account as account_key, h.currency, sum(h.amount) as held
                      from transfers h
                     where h.kind = 'HOLD' and not exists (select from transfers e where e.pending_of = h.transfer_id)
                     group by h.debit_account, h.currency
                )
                select account_key, a.merchant_id, a.account_id, a.kind, currency, a.status, a.posted, a.held,
                       coalesce(m.posted, 0) as posted_by_transfers, coalesce(p.held, 0) as held_by_transfers,
                       coalesce(r.posted, 0) as rolled_up, coalesce(m.rolled_up, 0) as rolled_up_by_transfers,
                       a.version, a.created_at, a.updated_at
                  from accounts a
                  full join moved m using (account_key, currency)
                  full join promised p using (account_key, currency)
                  left join balance_rollups r using (account_key)
                """);
    }

    /** A deposit, or what was posted about a difference, belongs to no order and counts by its own time. */
    @Bean
    static StatementSection transfersOfStatement() {
        return new StatementSection("transfers", """
                select transfer_id, debit_account, credit_account, amount, currency, kind, order_id, refund_no, pending_of,
                       work_order_id, created_at
                  from transfers
                 where order_id >= :fromId and order_id < :toId
                union all
                select transfer_id, debit_account, credit_account, amount, currency, kind, order_id, refund_no, pending_of,
                       work_order_id, created_at
                  from transfers
                 where order_id is null and created_at >= :fromTime and created_at < :toTime
                """);
    }

    /**
     * Whole in every statement: what was ever posted about differences, each beside its work order, as of one snapshot. Of
     * what is in suspense, both sums together are what the work order is about while it is open, and nothing afterwards.
     */
    @Bean
    static StatementSection adjustmentsOfStatement() {
        return new StatementSection("adjustments", """
                with moved as (
                    select t.work_order_id, t.currency, t.kind, p.account_key, p.amount
                      from transfers t
                     cross join lateral (values (t.debit_account, t.amount), (t.credit_account, -t.amount))
                           as p (account_key, amount)
                     where t.work_order_id is not null and p.account_key <> '~/SUSPENSE-' || t.currency
                )
                select m.work_order_id, m.currency,
                       min(m.account_key) filter (where m.kind = 'ADJUSTMENT') as account_key,
                       coalesce(sum(m.amount) filter (where m.kind = 'ADJUSTMENT'), 0) as adjusted,
                       coalesce(sum(m.amount) filter (where m.kind = 'RETURN'), 0) as returned,
                       coalesce(sum(m.amount) filter (where m.kind = 'PAY_OUT'), 0) as paid_out,
                       w.aggregate_id, w.merchant_id, w.status, w.currency as owed_in, w.amount as owed
                  from moved m left join work_orders w on w.id = m.work_order_id
                 group by m.work_order_id, m.currency, w.id
                """);
    }

    @Bean
    static StatementSection paymentsOfStatement() {
        return new StatementSection("payments", """
                select order_id, merchant_id, payer_account, merchant_account, currency, amount, state, reason,
                       refunded_amount, overdue, version, created_at, updated_at
                  from payments
                 where order_id >= :fromId and order_id < :toId
                """);
    }

    @Bean
    static StatementSection refundsOfStatement() {
        return new StatementSection("refunds", """
                select order_id, refund_no, amount, restock, state, attempts, next_attempt_at, reason, version, created_at,
                       updated_at
                  from payment_refunds
                 where order_id >= :fromId and order_id < :toId
                """);
    }

    @Bean
    static StatementSection depositsOfStatement() {
        return new StatementSection("deposits", """
                select merchant_id, deposit_no, account_id, amount, deposited_at
                  from deposits
                 where deposited_at >= :fromTime and deposited_at < :toTime
                """);
    }
}
