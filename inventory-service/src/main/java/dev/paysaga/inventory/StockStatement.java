package dev.paysaga.inventory;

import dev.paysaga.saga.ops.StatementSection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What inventory-service has written down, for reconciliation. */
@Configuration(proxyBeanMethods = false)
class StockStatement {

    /**
     * Whole in every statement: a shelf is right only in view of all that ever went in and out. Products that have no shelf
     * but are named elsewhere are listed, too.
     */
    @Bean
    static StatementSection shelvesOfStatement() {
        return new StatementSection("shelves", """
                select merchant_id, sku, bool_or(shelf) as shelf, sum(on_hand) as on_hand, sum(reserved) as reserved,
                       sum(received) as received, sum(committed) as committed, sum(restocked) as restocked,
                       sum(promised) as reserved_by_reservations
                  from (select merchant_id, sku, true as shelf, on_hand, reserved,
                               0 as received, 0 as committed, 0 as restocked, 0 as promised
                          from shelves
                        union all
                        select merchant_id, sku, false, 0, 0, quantity, 0, 0, 0
                          from stock_receipts
                        union all
                        select r.merchant_id, line ->> 'sku', false, 0, 0, 0,
                               case when r.state = 2 then (line ->> 'quantity')::bigint else 0 end, 0,
                               case when r.state = 1 then (line ->> 'quantity')::bigint else 0 end
                          from reservations r cross join lateral jsonb_array_elements(r.lines) as line
                         where r.state in (1, 2)
                        union all
                        select r.merchant_id, line ->> 'sku', false, 0, 0, 0, 0, (line ->> 'quantity')::bigint, 0
                          from restocks r cross join lateral jsonb_array_elements(r.lines) as line) as moves
                 group by merchant_id, sku
                """);
    }

    @Bean
    static StatementSection receiptsOfStatement() {
        return new StatementSection("receipts", """
                select merchant_id, receipt_no, sku, quantity, received_at
                  from stock_receipts
                 where received_at >= :fromTime and received_at < :toTime
                """);
    }

    @Bean
    static StatementSection reservationsOfStatement() {
        return new StatementSection("reservations", """
                select order_id, merchant_id, state, reason, short_sku, lines, overdue, version, created_at, updated_at
                  from reservations
                 where order_id >= :fromId and order_id < :toId
                """);
    }

    @Bean
    static StatementSection restocksOfStatement() {
        return new StatementSection("restocks", """
                select order_id, refund_no, merchant_id, lines, restocked_at
                  from restocks
                 where order_id >= :fromId and order_id < :toId
                """);
    }
}
