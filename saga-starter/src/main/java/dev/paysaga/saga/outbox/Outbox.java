package dev.paysaga.saga.outbox;

import dev.paysaga.saga.EventIds;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a service announces. Events are rows of the transaction that made them true: they exist if, and only if, it commits.
 * The relay sends them to Kafka afterwards.
 *
 * <p>Append while the aggregate's row is locked: that, and nothing else, makes the order of an aggregate's rows the order of
 * its commits.
 */
public final class Outbox {

    private static final String INSERT = """
            insert into outbox (id, aggregate_type, aggregate_id, event_type, topic, payload, headers)
            select id, aggregate_type, aggregate_id, event_type, topic, payload, headers::jsonb
            from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[])
                as row (id, aggregate_type, aggregate_id, event_type, topic, payload, headers)
            """;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final String producer;
    private final JdbcOperations jdbc;
    private final EventCatalog catalog;
    private final ConfluentWire wire;
    private final CurrentTrace currentTrace;

    /**
     * @param producer the announcing service's name; part of every event id
     * @param catalog where each event goes
     * @param wire how an event becomes bytes
     * @param currentTrace the trace of announcements whose cause had none
     */
    public Outbox(
            String producer, JdbcOperations jdbc, EventCatalog catalog, ConfluentWire wire, CurrentTrace currentTrace) {
        this.producer = producer;
        this.jdbc = jdbc;
        this.catalog = catalog;
        this.wire = wire;
        this.currentTrace = currentTrace;
    }

    /**
     * Appends one announcement.
     *
     * @see #appendAll
     */
    public void append(Announcement announcement) {
        appendAll(List.of(announcement));
    }

    /**
     * Appends all events of these announcements, in order, in one statement.
     *
     * @throws IllegalStateException if there is no transaction: what is announced outside one may never have happened
     * @throws IllegalArgumentException if an event is not part of the service's language or does not fit its schema
     * @throws org.springframework.dao.DataAccessException if the database refuses
     */
    public void appendAll(List<Announcement> announcements) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "Events are announced inside the transaction that made them true, and there is"
                            + " none: open one around the change and its announcement.");
        }
        var rows = new Rows();
        for (Announcement announcement : announcements) {
            addTo(rows, announcement);
        }
        if (!rows.ids.isEmpty()) {
            jdbc.update(connection -> rows.bind(connection));
        }
    }

    private void addTo(Rows rows, Announcement announcement) {
        if (announcement.events().isEmpty()) {
            return;
        }
        String cause = announcement.cause().toString();
        String traceparent = traceparent(announcement);
        int index = 0;
        for (SpecificRecord event : announcement.events()) {
            EventRoute route = catalog.route(event);
            String type = event.getSchema().getName();
            rows.ids.add(EventIds.derive(announcement.cause(), producer, type, index++));
            rows.aggregateTypes.add(route.aggregateType());
            rows.aggregateIds.add(route.aggregateId());
            rows.eventTypes.add(type);
            rows.topics.add(route.topic());
            rows.payloads.add(wire.encode(route.topic(), event));
            rows.headers.add(headers(route, traceparent, cause));
        }
    }

    private @Nullable String traceparent(Announcement announcement) {
        return announcement.traceparent() != null ? announcement.traceparent() : currentTrace.traceparent();
    }

    private static String headers(EventRoute route, @Nullable String traceparent, String cause) {
        Map<String, String> headers = new HashMap<>(route.headers());
        headers.put(CloudEventHeaders.CAUSATION_ID, cause);
        if (traceparent != null) {
            headers.put(CloudEventHeaders.TRACEPARENT, traceparent);
        }
        return JSON.writeValueAsString(headers);
    }

    /** Rows by column: one array a column is one statement for any number of rows. */
    private static final class Rows {

        final List<UUID> ids = new ArrayList<>();
        final List<String> aggregateTypes = new ArrayList<>();
        final List<String> aggregateIds = new ArrayList<>();
        final List<String> eventTypes = new ArrayList<>();
        final List<String> topics = new ArrayList<>();
        final List<byte[]> payloads = new ArrayList<>();
        final List<String> headers = new ArrayList<>();

        PreparedStatement bind(Connection connection) throws SQLException {
            PreparedStatement insert = connection.prepareStatement(INSERT);
            insert.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
            bindTexts(connection, insert, 2, aggregateTypes);
            bindTexts(connection, insert, 3, aggregateIds);
            bindTexts(connection, insert, 4, eventTypes);
            bindTexts(connection, insert, 5, topics);
            insert.setArray(6, connection.createArrayOf("bytea", payloads.toArray(byte[][]::new)));
            bindTexts(connection, insert, 7, headers);
            return insert;
        }

        private static void bindTexts(Connection connection, PreparedStatement insert, int index, List<String> column)
                throws SQLException {
            insert.setArray(index, connection.createArrayOf("text", column.toArray()));
        }
    }
}
