package dev.paysaga.order;

import dev.paysaga.order.OrderView.Entry;
import dev.paysaga.order.StoredLines.Line;
import dev.paysaga.order.StoredLines.Restock;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.RefundStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What merchants may read. Nothing is locked, nothing is decided. */
@Component
final class OrderViews {

    private static final String ORDER = """
            select order_id, merchant_id, out_trade_no, state, reason, currency, amount, refunded_amount, lines, created_at,
                   updated_at, version
              from orders
            """;

    private final JdbcClient jdbc;

    OrderViews(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<OrderView> find(UUID orderId, String merchantId) {
        return jdbc.sql(ORDER + " where order_id = ? and merchant_id = ?")
                .params(orderId, merchantId)
                .query(OrderViews::order)
                .optional();
    }

    /** For those who have shown already that it is theirs. */
    Optional<OrderView> find(UUID orderId) {
        return jdbc.sql(ORDER + " where order_id = ?")
                .param(orderId)
                .query(OrderViews::order)
                .optional();
    }

    Optional<OrderView> find(String outTradeNo, String merchantId) {
        return jdbc.sql(ORDER + " where merchant_id = ? and out_trade_no = ?")
                .params(merchantId, outTradeNo)
                .query(OrderViews::order)
                .optional();
    }

    /**
     * Orders, newest first. Order ids grow with time, so an order that is placed meanwhile moves no page.
     *
     * @param status only these; null for all
     * @param after the last one of the page before; null for the first page
     */
    List<OrderView> list(String merchantId, @Nullable OrderStatus status, @Nullable UUID after, int limit) {
        return jdbc.sql(ORDER + """
                         where merchant_id = :merchant
                        """ + (status == null ? "" : " and state = :state ")
                        + (after == null ? "" : " and order_id < :after ") + """
                         order by order_id desc
                         limit :limit
                        """)
                .param("merchant", merchantId)
                .param("state", status == null ? 0 : status.code())
                .param("after", after)
                .param("limit", limit)
                .query(OrderViews::order)
                .list();
    }

    List<Entry> history(UUID orderId) {
        return jdbc.sql("""
                        select at, null as refund_no, from_state, to_state, version, event_id
                          from order_events where order_id = :order
                        union all
                        select at, refund_no, from_state, to_state, version, event_id
                          from refund_events where order_id = :order
                         order by at, refund_no nulls first, version
                        """).param("order", orderId).query(OrderViews::entry).list();
    }

    Optional<RefundView> refund(UUID orderId, String refundNo, String merchantId) {
        return jdbc.sql("""
                        select r.order_id, r.refund_no, r.state, o.currency, r.amount, r.reason, r.failure, r.restock,
                               r.created_at, r.updated_at, r.version
                          from refunds r
                          join orders o using (order_id)
                         where r.order_id = ? and r.refund_no = ? and o.merchant_id = ?
                        """)
                .params(orderId, refundNo, merchantId)
                .query(OrderViews::refund)
                .optional();
    }

    private static OrderView order(ResultSet row, int number) throws SQLException {
        return new OrderView(
                row.getObject("order_id", UUID.class),
                row.getString("merchant_id"),
                row.getString("out_trade_no"),
                OrderStatus.of(row.getInt("state")).name(),
                row.getString("reason"),
                row.getString("currency"),
                row.getLong("amount"),
                row.getLong("refunded_amount"),
                StoredLines.ordered(row.getString("lines")).stream()
                        .map(Line::of)
                        .toList(),
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("updated_at").toInstant(),
                row.getInt("version"));
    }

    private static RefundView refund(ResultSet row, int number) throws SQLException {
        return new RefundView(
                row.getObject("order_id", UUID.class),
                row.getString("refund_no"),
                RefundStatus.of(row.getInt("state")).name(),
                row.getString("currency"),
                row.getLong("amount"),
                row.getString("reason"),
                row.getString("failure"),
                StoredLines.restocked(row.getString("restock")).stream()
                        .map(Restock::of)
                        .toList(),
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("updated_at").toInstant(),
                row.getInt("version"));
    }

    private static Entry entry(ResultSet row, int number) throws SQLException {
        String refundNo = row.getString("refund_no");
        return new Entry(
                row.getTimestamp("at").toInstant(),
                refundNo,
                name(refundNo, row.getInt("from_state")),
                name(refundNo, row.getInt("to_state")),
                row.getInt("version"),
                row.getObject("event_id", UUID.class));
    }

    private static String name(@Nullable String refundNo, int state) {
        return refundNo == null
                ? OrderStatus.of(state).name()
                : RefundStatus.of(state).name();
    }
}
