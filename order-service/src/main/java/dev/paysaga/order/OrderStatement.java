package dev.paysaga.order;

import dev.paysaga.saga.ops.StatementSection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What order-service has written down, for reconciliation. */
@Configuration(proxyBeanMethods = false)
class OrderStatement {

    @Bean
    static StatementSection ordersOfStatement() {
        return new StatementSection("orders", """
                select order_id, merchant_id, out_trade_no, payer_account_id, currency, amount, refunded_amount, state, reason,
                       stock_committed, payment_captured, stock_released, payment_voided, lines, version, deadline_at,
                       created_at, updated_at
                  from orders
                 where order_id >= :fromId and order_id < :toId
                """);
    }

    @Bean
    static StatementSection refundsOfStatement() {
        return new StatementSection("refunds", """
                select r.order_id, r.refund_no, o.merchant_id, o.currency, r.amount, r.restock, r.state, r.reason, r.failure,
                       r.version, r.created_at, r.updated_at
                  from refunds r join orders o using (order_id)
                 where r.order_id >= :fromId and r.order_id < :toId
                """);
    }
}
