package dev.paysaga.saga.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What can be seen of the relay from outside. */
final class RelayMetrics {

    private final Counter published;
    private final Counter refused;
    private final Counter healed;
    private final Counter slotsReplaced;

    RelayMetrics(MeterRegistry meters) {
        this.published = Counter.builder("paysaga.outbox.published")
                .description("Outbox rows acknowledged by Kafka, repeats included")
                .register(meters);
        this.refused = Counter.builder("paysaga.outbox.refused")
                .description("Outbox rows that can be no event and were left out")
                .register(meters);
        this.healed = Counter.builder("paysaga.outbox.healed")
                .description("Outbox rows sent by query when relaying began")
                .register(meters);
        this.slotsReplaced = Counter.builder("paysaga.outbox.slots.replaced")
                .description("Replication slots found missing or lost, and made anew")
                .register(meters);
    }

    void observe(MeterRegistry meters, OutboxRelay relay) {
        Gauge.builder("paysaga.outbox.lag", relay, OutboxRelay::lagSeconds)
                .description("Age of the oldest announcement that may not have reached Kafka")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("paysaga.outbox.slot.retained", relay, OutboxRelay::retainedBytes)
                .description("Write-ahead log kept for the relay, as the leader sees it; 0 on followers")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("paysaga.relay.leader", relay, it -> it.state() == RelayState.LEADER ? 1 : 0)
                .description("1 where the outbox is relayed")
                .register(meters);
    }

    Counter published() {
        return published;
    }

    Counter refused() {
        return refused;
    }

    void healed(long rows) {
        healed.increment(rows);
    }

    long healedRows() {
        return (long) healed.count();
    }

    void slotReplaced() {
        slotsReplaced.increment();
    }
}
