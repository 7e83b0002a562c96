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
 * @param pollInterval how long the change stream rests when it found nothing: half of it is the way to Kafka longer on
 *     average, and less costs more processor time when idle (10 ms: 3 % of a core)
 * @param maxBatch changes handed on at once; with more than 1 each waits until so many are there or the poll interval is
 *     over, which is slower and, above some thousand rows a second, cheaper by about 15 microseconds a row. At most 4096
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
        @DefaultValue("1") int maxBatch,
        @DefaultValue("500ms") Duration watermarkInterval,
        @DefaultValue("10s") Duration alarmAfter) {}
