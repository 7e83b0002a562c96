package dev.paysaga.saga.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the outbox reaches Kafka, prefix {@code saga.relay}. The database is that of {@code spring.datasource.url}.
 *
 * @param enabled false for a process that never relays, or for a test
 * @param username the database role with REPLICATION, which may read the outbox and nothing else; null switches the relay off
 * @param password its password
 * @param slotName the replication slot; slots are named once per database server
 * @param pollInterval how long the change stream rests when it found nothing: less is a shorter way to Kafka and more
 *     processor time when idle (5 ms: 13/147 ms p50/p99 and a fifth of a core; 20 ms: a third of that)
 * @param maxBatch rows sent to Kafka before waiting for their acknowledgement
 * @param watermarkInterval how often the leader looks after its lock and marks the stream
 * @param alarmAfter lag from which on the relay reports itself down
 */
@ConfigurationProperties("saga.relay")
public record RelayProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String username,
        @DefaultValue("") String password,
        @DefaultValue("paysaga_outbox") String slotName,
        @DefaultValue("10ms") Duration pollInterval,
        @DefaultValue("2048") int maxBatch,
        @DefaultValue("500ms") Duration watermarkInterval,
        @DefaultValue("10s") Duration alarmAfter) {}
