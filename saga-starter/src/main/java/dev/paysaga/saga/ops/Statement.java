package dev.paysaga.saga.ops;

import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything a service has written down, as of one moment: all sections are read in one snapshot, and written row by row as
 * the database's cursor brings them, so that a statement of any size needs the same memory.
 */
final class Statement {

    /** Rows the driver keeps at a time. */
    private static final int FETCH_SIZE = 1000;

    /**
     * The moment. Everything announced by transactions below {@code relayedBelow} is in Kafka; with no row pending, all that
     * this statement lists under outbox is.
     */
    private static final String WATERMARK = """
            select now() as taken_at,
                   pg_current_snapshot()::text as snapshot,
                   pg_current_wal_lsn()::text as lsn,
                   r.watermark::text as relayed_below,
                   (select count(*) from outbox where tx >= r.watermark) as outbox_pending,
                   (select min(created_at) from outbox where tx >= r.watermark) as oldest_pending_at
              from relay_state r
            """;

    private static final List<StatementSection> OWN = List.of(
            new StatementSection("outbox", """
                    select o.id, o.topic, o.event_type as type, o.aggregate_id as key, o.created_at,
                           o.tx < r.watermark as relayed
                      from outbox o, relay_state r
                     where o.id >= :fromId and o.id < :toId
                    """),
            new StatementSection("inbox", """
                    select event_id, topic, consumer, received_at
                      from inbox
                     where event_id >= :fromId and event_id < :toId
                    """),
            new StatementSection("parkedEvents", """
                    select id, consumer, topic, partition, "offset", nullif(key, '') as key, event_id, event_type, reason,
                           status, parked_at
                      from parked_events
                     where closed_at is null
                    """),
            new StatementSection("workOrders", """
                    select id, kind, aggregate_id, merchant_id, refund_no, currency, amount, detail, opened_at
                      from work_orders
                     where status = 'OPEN'
                    """));

    private final String service;
    private final List<StatementSection> sections;
    private final NamedParameterJdbcTemplate jdbc;
    private final TransactionTemplate snapshot;
    private final JsonMapper json;

    Statement(
            String service,
            List<StatementSection> sections,
            DataSource database,
            PlatformTransactionManager transactions,
            JsonMapper json) {
        this.service = service;
        this.sections = new ArrayList<>(sections);
        this.sections.addAll(OWN);
        var template = new JdbcTemplate(database);
        template.setFetchSize(FETCH_SIZE);
        this.jdbc = new NamedParameterJdbcTemplate(template);
        this.snapshot = new TransactionTemplate(transactions);
        snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        snapshot.setReadOnly(true);
        this.json = json;
    }

    /** The names of what it may list, in their order. */
    List<String> sections() {
        return sections.stream().map(StatementSection::name).toList();
    }

    /**
     * Writes the statement. Its last member is {@code "complete": true}: without it, something went wrong on the way.
     *
     * @param wanted names of sections; the others are left out
     */
    void write(StatementWindow window, Collection<String> wanted, OutputStream out) {
        snapshot.executeWithoutResult(status -> {
            // A statement that breaks off must not be closed as if it were whole.
            try (JsonGenerator writer =
                    json.writer().without(StreamWriteFeature.AUTO_CLOSE_CONTENT).createGenerator(out)) {
                write(window, wanted, writer);
            }
        });
    }

    private void write(StatementWindow window, Collection<String> wanted, JsonGenerator writer) {
        writer.writeStartObject();
        writer.writeStringProperty("service", service);
        writeTime(writer, "from", window.from());
        writeTime(writer, "to", window.to());
        writer.writeName("watermark");
        RowCallbackHandler row = each -> writeRow(writer, each);
        jdbc.getJdbcOperations().query(WATERMARK, row);
        for (StatementSection section : sections) {
            if (wanted.contains(section.name())) {
                writer.writeName(section.name());
                writer.writeStartArray();
                jdbc.query(section.sql(), window.parameters(), row);
                writer.writeEndArray();
            }
        }
        writer.writeBooleanProperty("complete", true);
        writer.writeEndObject();
    }

    private static void writeTime(JsonGenerator writer, String name, @Nullable Object time) {
        writer.writeName(name);
        if (time == null) {
            writer.writeNull();
        } else {
            writer.writeString(time.toString());
        }
    }

    private static void writeRow(JsonGenerator writer, ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        writer.writeStartObject();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            writer.writeName(camelCase(columns.getColumnLabel(i)));
            writeValue(writer, row, i, columns.getColumnTypeName(i));
        }
        writer.writeEndObject();
    }

    private static void writeValue(JsonGenerator writer, ResultSet row, int i, String type) throws SQLException {
        if (row.getObject(i) == null) {
            writer.writeNull();
            return;
        }
        switch (type) {
            case "int2", "int4", "int8" -> writer.writeNumber(row.getLong(i));
            // A sum, which may be more than one row can hold; never a fraction.
            case "numeric" -> writer.writeNumber(row.getBigDecimal(i).toBigIntegerExact());
            case "bool" -> writer.writeBoolean(row.getBoolean(i));
            case "jsonb" -> writer.writeRawValue(row.getString(i));
            case "timestamptz" ->
                writer.writeString(
                        row.getObject(i, OffsetDateTime.class).toInstant().toString());
            case "text", "uuid" -> writer.writeString(row.getString(i));
            default ->
                throw new IllegalStateException("a statement has no form for type " + type + " of column "
                        + row.getMetaData().getColumnLabel(i));
        }
    }

    private static String camelCase(String column) {
        var name = new StringBuilder(column.length());
        for (int i = 0; i < column.length(); i++) {
            char letter = column.charAt(i);
            if (letter == '_') {
                i++;
                name.append(Character.toUpperCase(column.charAt(i)));
            } else {
                name.append(letter);
            }
        }
        return name.toString();
    }
}
