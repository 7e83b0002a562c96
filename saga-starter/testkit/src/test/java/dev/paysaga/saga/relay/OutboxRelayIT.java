package dev.paysaga.saga.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OutboxRelayIT {

    private RelayFixture outbox;

    @BeforeEach
    void migrate() {
        outbox = new RelayFixture();
    }

    @AfterEach
    void close() {
        outbox.close();
    }

    @Test
    void everythingAppendedArrivesOnceKeyedAndInOrderPerKey() throws Exception {
        outbox.startLeader();
        List<String> keys = IntStream.range(0, 8).mapToObj(n -> "key-" + n).toList();

        try (var writers = Executors.newFixedThreadPool(4)) {
            var written = keys.stream()
                    .map(key -> writers.submit(() -> IntStream.range(0, 25).forEach(n -> outbox.append(key, 3))))
                    .toList();
            for (var all : written) {
                all.get();
            }
        }

        outbox.awaitQuiet();
        assertThat(outbox.topicIds()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
        for (String key : keys) {
            assertThat(outbox.topicIdsOf(key)).hasSize(75).isEqualTo(outbox.outboxIdsOf(key));
        }
    }

    @Test
    void aRowBecomesACloudEvent() {
        outbox.startLeader();
        outbox.append("ord\u00e9r", 1);

        outbox.awaitQuiet();
        assertThat(outbox.records()).singleElement().satisfies(record -> {
            assertThat(record.key()).isEqualTo("ord\u00e9r");
            assertThat(new String(record.value(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("ord\u00e9r#1");
            assertThat(RelayFixture.id(record)).isEqualTo(outbox.outboxIds().getFirst());
            assertThat(RelayFixture.header(record, "ce_type")).isEqualTo("ThingHappened");
            assertThat(RelayFixture.header(record, "ce_source")).isEqualTo("/paysaga/test");
            assertThat(RelayFixture.header(record, "ce_subject")).isEqualTo("ord\u00e9r");
            assertThat(RelayFixture.header(record, "ce_specversion")).isEqualTo("1.0");
            assertThat(RelayFixture.header(record, "ce_time"))
                    .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
            assertThat(RelayFixture.header(record, "paysaga_causation_id")).isEqualTo("c");
            assertThat(RelayFixture.header(record, "quoted")).isEqualTo("a \"b\"");
        });
    }

    @Test
    void rowsCommittedBeforeThereWasASlotAreSent() {
        outbox.append("early", 5);

        outbox.startLeader();
        outbox.append("late", 5);

        outbox.awaitQuiet();
        assertThat(outbox.topicIds()).containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
    }

    @Test
    void messagesOfOthersInTheLogDoNotStopTheStream() {
        OutboxRelay relay = outbox.startLeader();
        outbox.jdbc
                .sql("select pg_logical_emit_message(false, 'paysaga-watermark', 'garbage')")
                .query()
                .singleRow();
        outbox.jdbc
                .sql("select pg_logical_emit_message(true, 'paysaga-watermark', '')")
                .query()
                .singleRow();
        outbox.jdbc
                .sql("select pg_logical_emit_message(true, 'somebody-else', 'x')")
                .query()
                .singleRow();
        outbox.append("after", 2);

        outbox.awaitQuiet();
        assertThat(outbox.topicIds()).containsExactlyInAnyOrderElementsOf(outbox.outboxIds());
        assertThat(relay.state()).isEqualTo(RelayState.LEADER);
        assertThat(outbox.meters.counter("paysaga.outbox.published").count()).isEqualTo(2);
    }

    @Test
    void anEmptyPayloadIsRefusedWhereItIsWritten() {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> outbox.jdbc
                        .sql("insert into outbox (id, aggregate_type, aggregate_id, event_type, topic, payload)"
                                + " values (?, 'thing', 'key', 'ThingHappened', ?, '')")
                        .params(UUID.randomUUID(), outbox.topic)
                        .update())
                .hasMessageContaining("outbox_payload_check");
    }

    @Test
    void anIdleOutboxWritesNothing() {
        OutboxRelay relay = outbox.startLeader();
        outbox.append("key", 1);
        outbox.awaitQuiet();
        String before = watermark();
        outbox.jdbc.sql("create table neighbour as select 1 as x").update();

        org.awaitility.Awaitility.await()
                .during(java.time.Duration.ofSeconds(2))
                .atMost(java.time.Duration.ofMinutes(1))
                .until(() -> watermark().equals(before));
        RelayFixture.soon().until(() -> relay.lagSeconds() < 2);
    }

    private String watermark() {
        return outbox.jdbc
                .sql("select watermark || ' ' || updated_at from relay_state")
                .query(String.class)
                .single();
    }
}
