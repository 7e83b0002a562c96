package dev.paysaga.notification;

import dev.paysaga.notification.domain.Notification;
import dev.paysaga.notification.domain.Notification.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What merchants were told, or are going to be. Rows are written once and never change. */
@Component
final class NotificationStore {

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};

    private final JdbcOperations jdbc;
    private final JsonMapper json;

    NotificationStore(JdbcOperations jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** Records what is not known yet, with one statement. An outcome is known by its event, and by order, kind and refund. */
    void keep(List<Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        jdbc.update(
                """
                insert into notifications
                       (notification_id, order_id, merchant_id, out_trade_no, kind, refund_no, notify_url, payload)
                select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::jsonb[])
                       as fresh (notification_id, order_id, merchant_id, out_trade_no, kind, refund_no, notify_url, payload)
                 order by order_id, kind, refund_no
                on conflict do nothing
                """,
                column(entries, UUID[]::new, Entry::eventId),
                column(entries, UUID[]::new, entry -> entry.notification().orderId()),
                column(entries, String[]::new, entry -> entry.notification().merchantId()),
                column(entries, String[]::new, entry -> entry.notification().outTradeNo()),
                column(
                        entries,
                        String[]::new,
                        entry -> entry.notification().kind().name()),
                column(entries, String[]::new, entry -> entry.notification().refundNo()),
                column(entries, String[]::new, entry -> entry.notification().notifyUrl()),
                column(
                        entries,
                        String[]::new,
                        entry -> json.writeValueAsString(entry.notification().facts())));
    }

    /** Everything told about an order of this merchant, oldest first. */
    List<Told> about(UUID orderId, String merchantId) {
        return jdbc.query("""
                select notification_id, order_id, out_trade_no, kind, refund_no, payload, recorded_at
                  from notifications
                 where order_id = ? and merchant_id = ?
                 order by recorded_at, notification_id
                """, this::told, orderId, merchantId);
    }

    private Told told(ResultSet row, int number) throws SQLException {
        return new Told(
                row.getObject("notification_id", UUID.class),
                row.getObject("order_id", UUID.class),
                row.getString("out_trade_no"),
                Kind.valueOf(row.getString("kind")),
                row.getString("refund_no"),
                json.readValue(row.getString("payload"), FACTS),
                row.getObject("recorded_at", OffsetDateTime.class).toInstant());
    }

    private static <C> Object column(
            List<Entry> entries, IntFunction<C[]> array, Function<Entry, ? extends @Nullable C> value) {
        return entries.stream().map(value).toArray(array);
    }

    /**
     * A notification to record.
     *
     * @param eventId the event that led to it, and its own id
     */
    record Entry(UUID eventId, Notification notification) {}

    /**
     * A recorded notification, as shown.
     *
     * @param refundNo the refund it is about; null for the order as a whole
     * @param data what the merchant is told
     */
    record Told(
            UUID notificationId,
            UUID orderId,
            String outTradeNo,
            Kind kind,
            @Nullable String refundNo,
            Map<String, Object> data,
            Instant recordedAt) {}
}
