package dev.paysaga.saga.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.saga.EventIds;
import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.wire.ConfluentWire;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

final class OutboxIT {

    private static final UUID CAUSE = EventIds.next(1_700_000_000_000L);
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final ConfluentWire wire = ConfluentWire.of("mock://outbox");
    private JdbcClient jdbc;
    private TransactionTemplate transaction;
    private Outbox outbox;

    @BeforeEach
    void migrate() {
        PostgresDatabase database = PostgresServer.shared().createDatabase("outbox");
        DataSource dataSource = database.dataSource();
        Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:db/saga")
                .placeholders(Map.of("relay_role", database.relayUsername()))
                .load()
                .migrate();
        jdbc = JdbcClient.create(dataSource);
        transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        outbox = new Outbox("test", new JdbcTemplate(dataSource), new Things(), wire, () -> null);
    }

    @Test
    void outsideATransactionNothingIsAnnounced() {
        assertThatThrownBy(() -> outbox.append(announcement("a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("there is none");
        assertThat(rows()).isZero();
    }

    @Test
    void whatIsRolledBackWasNeverAnnounced() {
        transaction.executeWithoutResult(status -> {
            outbox.append(announcement("a"));
            status.setRollbackOnly();
        });
        assertThat(rows()).isZero();
    }

    @Test
    void aRowHoldsTheEventItsIdAndItsHeaders() {
        transaction.executeWithoutResult(status ->
                outbox.append(new Announcement(CAUSE, List.of(new ThingHappened("a"), new ThingHappened("b")), TRACE)));

        List<Map<String, Object>> rows = jdbc.sql("select *, headers ->> 'paysaga_merchant_id' as merchant,"
                        + " headers ->> 'traceparent' as trace, headers ->> 'paysaga_causation_id' as cause"
                        + " from outbox order by seq")
                .query()
                .listOfRows();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(1))
                .containsEntry("id", EventIds.derive(CAUSE, "test", "ThingHappened", 1))
                .containsEntry("aggregate_type", "thing")
                .containsEntry("aggregate_id", "b")
                .containsEntry("event_type", "ThingHappened")
                .containsEntry("topic", Things.TOPIC)
                .containsEntry("merchant", "merchant \"M\" of b")
                .containsEntry("trace", TRACE)
                .containsEntry("cause", CAUSE.toString());
        assertThat((byte[]) rows.get(1).get("payload")).isEqualTo(wire.encode(Things.TOPIC, new ThingHappened("b")));
    }

    @Test
    void anAnnouncementWithoutATraceJoinsTheCurrentOne() {
        var traced = new Outbox("test", new JdbcTemplate(dataSource()), new Things(), wire, () -> TRACE);
        transaction.executeWithoutResult(status -> traced.append(announcement("a")));
        assertThat(jdbc.sql("select headers ->> 'traceparent' from outbox")
                        .query(String.class)
                        .single())
                .isEqualTo(TRACE);
    }

    @Test
    void anyNumberOfAnnouncementsIsOneStatementInTheirOrder() {
        List<Announcement> many = IntStream.range(0, 500)
                .mapToObj(n -> new Announcement(EventIds.next(n), List.of(new ThingHappened("t" + n)), null))
                .toList();
        transaction.executeWithoutResult(status -> outbox.appendAll(many));

        assertThat(jdbc.sql("select aggregate_id from outbox order by seq")
                        .query(String.class)
                        .list())
                .isEqualTo(IntStream.range(0, 500).mapToObj(n -> "t" + n).toList());
        // One statement makes all its rows with one command id.
        assertThat(jdbc.sql("select count(distinct cmin::text) from outbox")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void replayingACauseAnnouncesTheSameIds() {
        transaction.executeWithoutResult(status -> outbox.append(announcement("a")));
        transaction.executeWithoutResult(status -> outbox.append(announcement("a")));
        assertThat(jdbc.sql("select count(distinct id) from outbox")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    private static Announcement announcement(String thing) {
        return new Announcement(CAUSE, List.of(new ThingHappened(thing)), null);
    }

    private DataSource dataSource() {
        return ((JdbcTransactionManager) transaction.getTransactionManager()).getDataSource();
    }

    private int rows() {
        return jdbc.sql("select count(*) from outbox").query(Integer.class).single();
    }
}
