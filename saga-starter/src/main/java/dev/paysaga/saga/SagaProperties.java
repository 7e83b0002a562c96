package dev.paysaga.saga;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * The settings of a service in a saga, prefix {@code saga}.
 *
 * @param serviceName what the service is called in event ids, consumer groups and metrics; by default
 *     {@code spring.application.name}. Never change it: event ids derive from it
 * @param schemaRegistryUrl where schemas are registered and looked up, with Confluent's API below it
 * @param produces the topics this service owns: it alone writes to them, creates them and registers their schemas
 * @param partitions of each topic this service creates
 * @param replicationFactor of each topic this service creates
 * @param relay how the outbox reaches Kafka
 * @param consumer how events are heard
 * @param inbox how long what was heard is remembered
 * @param outbox how long what was announced is kept
 * @param parking how long closed parked events are kept
 */
@ConfigurationProperties("saga")
public record SagaProperties(
        @DefaultValue("") String serviceName,

        @DefaultValue("http://127.0.0.1:8085/apis/ccompat/v7")
        String schemaRegistryUrl,

        @DefaultValue List<String> produces,
        @DefaultValue("12") int partitions,
        @DefaultValue("1") short replicationFactor,
        @DefaultValue Relay relay,
        @DefaultValue Consumer consumer,
        @DefaultValue Inbox inbox,
        @DefaultValue Outbox outbox,
        @DefaultValue Parking parking) {

    /** A day more than the default retention of a Kafka topic, so that a replayed topic still meets its inbox rows. */
    private static final String INBOX_RETENTION = "8d";

    public SagaProperties {
        require(partitions > 0, "saga.partitions must be at least 1");
        require(replicationFactor > 0, "saga.replication-factor must be at least 1");
        require(
                inbox.retention().compareTo(outbox.retention()) > 0,
                "saga.inbox.retention must be longer than saga.outbox.retention: a row that is sent again must be recognised");
        produces = List.copyOf(produces);
    }

    /**
     * Who reads the write-ahead log.
     *
     * @param username the database role with REPLICATION, which may read the outbox and nothing else
     * @param password its password
     */
    public record Relay(@Nullable String username, @Nullable String password) {}

    /**
     * How events are heard.
     *
     * @param enabled false for a process that only announces, or for a test
     * @param concurrency threads per lane; more than partitions are idle
     * @param maxPollRecords events handled in one transaction at most
     * @param compensationPool connections kept apart for compensating events; at least their concurrency
     * @param compensationRate compensating events a second that one replica handles at most; 0 for no limit
     * @param firstBackOff wait before a failed poll is tried again; doubles each time
     * @param maxBackOff the longest such wait
     */
    public record Consumer(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1") int concurrency,
            @DefaultValue("500") int maxPollRecords,
            @DefaultValue("3") int compensationPool,
            @DefaultValue("200") int compensationRate,
            @DefaultValue("100ms") Duration firstBackOff,
            @DefaultValue("5s") Duration maxBackOff) {

        public Consumer {
            require(concurrency > 0, "saga.consumer.concurrency must be at least 1");
            require(compensationRate >= 0, "saga.consumer.compensation-rate must not be negative; 0 is no limit");
            require(maxPollRecords > 0, "saga.consumer.max-poll-records must be at least 1");
            require(
                    compensationPool >= concurrency,
                    "saga.consumer.compensation-pool must be at least saga.consumer.concurrency");
        }
    }

    /**
     * How long an event is recognised by its id. Later, states and business ids still stop it.
     *
     * @param retention counted from the start of the saga the event belongs to
     */
    public record Inbox(@DefaultValue(INBOX_RETENTION) Duration retention) {}

    /**
     * How long announced events stay, for healing and for auditors. What was not relayed stays in any case.
     *
     * @param retention counted from the announcement
     */
    public record Outbox(@DefaultValue("3d") Duration retention) {}

    /**
     * How long an event stays in sight that was parked and is done with. One that waits, or about which a person still has to
     * decide, stays in any case.
     *
     * @param retention counted from its redrive or skip
     */
    public record Parking(@DefaultValue("30d") Duration retention) {}

    /**
     * The settings of this environment.
     *
     * @throws RuntimeException with a sentence that names the setting, if one is missing or makes no sense
     */
    static SagaProperties of(Environment environment) {
        SagaProperties bound = Binder.get(environment).bindOrCreate("saga", SagaProperties.class);
        return bound.serviceName().isBlank()
                ? bound.named(environment.getProperty("spring.application.name", ""))
                : bound;
    }

    private SagaProperties named(String name) {
        require(!name.isBlank(), "this service has no name: set saga.service-name or spring.application.name");
        return new SagaProperties(
                name,
                schemaRegistryUrl,
                produces,
                partitions,
                replicationFactor,
                relay,
                consumer,
                inbox,
                outbox,
                parking);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
