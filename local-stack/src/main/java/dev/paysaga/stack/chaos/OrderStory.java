package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Databases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What became of one order, from the logs of transitions, the outboxes and the ledger, in the order of time. */
final class OrderStory {

    private static final Map<String, List<String>> QUERIES = Map.of(
            "order",
            List.of(
                    "select at, 'order ' || from_state || ' -> ' || to_state || ', because of ' || event_id from order_events where order_id = ?",
                    "select at, 'refund ' || refund_no || ' ' || from_state || ' -> ' || to_state || ', because of ' || event_id from refund_events where order_id = ?"),
            "inventory",
            List.of(
                    "select at, 'reservation ' || from_state || ' -> ' || to_state || ', because of ' || event_id from reservation_events where reservation_id = ?",
                    "select restocked_at, 'restocked for ' || refund_no || ': ' || lines from restocks where order_id = ?"),
            "account",
            List.of(
                    "select at, 'payment ' || from_state || ' -> ' || to_state || ', because of ' || event_id from payment_events where payment_id = ?",
                    "select created_at, kind || ' ' || amount || ' ' || currency || ' from ' || debit_account || ' to ' || credit_account from transfers where order_id = ?"),
            "notification",
            List.of(
                    "select recorded_at, 'told ' || kind || coalesce(' ' || refund_no, '') from notifications where order_id = ?"));

    private static final List<String> EVERYWHERE = List.of(
            "select created_at, 'announced ' || event_type || ' ' || id from outbox where aggregate_id = ?::text",
            "select parked_at, status || ' ' || coalesce(event_type, '?') || ' from ' || topic || ': ' || reason from parked_events where key = ?::text",
            "select opened_at, 'work order ' || kind || ' ' || status || ': ' || detail from work_orders where aggregate_id = ?");

    private OrderStory() {}

    /** All that the four services know of it. */
    static List<Chronicle.Entry> of(Databases databases, UUID orderId) throws SQLException {
        var story = new ArrayList<Chronicle.Entry>();
        for (String service : Databases.SERVICES) {
            try (Connection db = databases.connect(service)) {
                for (String query : QUERIES.getOrDefault(service, List.of())) {
                    read(db, query, orderId, service, story);
                }
                for (String query : EVERYWHERE) {
                    read(db, query, orderId, service, story);
                }
            }
        }
        story.sort(Comparator.comparing(Chronicle.Entry::at));
        return story;
    }

    private static void read(Connection db, String query, UUID orderId, String service, List<Chronicle.Entry> story)
            throws SQLException {
        try (var statement = db.prepareStatement(query)) {
            statement.setObject(1, orderId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Instant at = rows.getTimestamp(1).toInstant();
                    story.add(new Chronicle.Entry(at, "%-12s %s".formatted(service, rows.getString(2))));
                }
            }
        }
    }
}
