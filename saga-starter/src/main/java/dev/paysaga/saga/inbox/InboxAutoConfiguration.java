package dev.paysaga.saga.inbox;

import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import dev.paysaga.saga.inbox.Listening.Preparation;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.outbox.OutboxAutoConfiguration;
import dev.paysaga.saga.parking.LanguageAnnouncer;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.saga.parking.ParkingAnnouncer;
import dev.paysaga.saga.parking.ParkingLot;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** From Kafka to the service's {@link Participant}: one container per lane, one reactor, one parking lot. */
@AutoConfiguration(
        after = {
            SagaAutoConfiguration.class,
            OutboxAutoConfiguration.class,
            KafkaAutoConfiguration.class,
            FlywayAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class,
            // Listeners of equal order hear in the order of their beans, and Readiness must have the last word.
            ApplicationAvailabilityAutoConfiguration.class
        })
final class InboxAutoConfiguration {

    private static final String ENABLED = "saga.consumer.enabled";

    @Bean
    Listening listening(
            SagaProperties properties,
            ObjectProvider<EventCatalog> catalog,
            ConfluentWire wire,
            KafkaAdmin admin,
            Readiness readiness,
            LaneContainers lanes,
            ObjectProvider<ParkedEvents> parked,
            JdbcOperations jdbc,
            PlatformTransactionManager transactions) {
        EventCatalog language = language(catalog);
        Set<String> topics = new HashSet<>(properties.produces());
        topics.addAll(lanes.topics());
        var creation = new TopicCreation(
                admin.getConfigurationProperties(), topics, properties.partitions(), properties.replicationFactor());
        return new Listening(
                List.of(
                        new Preparation("registering schemas", () -> {
                            wire.register(language, properties.produces());
                            readiness.prepared();
                        }),
                        new Preparation("creating topics", creation::run)),
                lanes.containers(),
                List.of(
                        new InboxPartitions(
                                jdbc,
                                new TransactionTemplate(transactions),
                                properties.inbox().retention())::maintain,
                        () -> parked.ifAvailable(
                                events -> events.purge(properties.parking().retention()))));
    }

    @Bean
    Readiness readiness(ApplicationContext context) {
        return new Readiness(context);
    }

    @Bean
    ListeningHealth listeningHealthIndicator(Listening listening, ObjectProvider<ParkedEvents> parked) {
        return new ListeningHealth(listening, parked.getIfAvailable());
    }

    private static EventCatalog language(ObjectProvider<EventCatalog> catalog) {
        return catalog.getIfAvailable(() -> {
            throw new IllegalStateException(
                    "This service has no language: declare a bean of type EventCatalog with the events"
                            + " it announces and hears.");
        });
    }

    private static MeterRegistry meters(ObjectProvider<MeterRegistry> meters) {
        return meters.getIfAvailable(SimpleMeterRegistry::new);
    }

    /** What a service does about events, however they come: over Kafka, redriven, or as a person's command. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Participant.class)
    static final class Handling {

        @Bean
        Reactor<?> reactor(
                SagaProperties properties,
                Participant<?> participant,
                ObjectProvider<EventCatalog> catalog,
                ConfluentWire wire,
                JdbcOperations jdbc,
                PlatformTransactionManager transactions,
                ParkingLot parkingLot,
                Outbox outbox,
                ObjectProvider<MeterRegistry> meters) {
            return reactor(
                    properties.serviceName(),
                    participant,
                    new RecordReader(properties.serviceName(), wire, language(catalog)),
                    jdbc,
                    transactions,
                    parkingLot,
                    outbox,
                    meters(meters));
        }

        /** Gives the participant's world a name. */
        private static <W> Reactor<W> reactor(
                String consumer,
                Participant<W> participant,
                RecordReader reader,
                JdbcOperations jdbc,
                PlatformTransactionManager transactions,
                ParkingLot parkingLot,
                Outbox outbox,
                MeterRegistry meters) {
            return new Reactor<>(
                    consumer,
                    participant,
                    reader,
                    jdbc,
                    new TransactionTemplate(transactions),
                    parkingLot,
                    outbox,
                    meters);
        }

        @Bean
        ParkingLot parkingLot(
                SagaProperties properties,
                JdbcOperations jdbc,
                WorkOrders workOrders,
                Outbox outbox,
                ObjectProvider<EventCatalog> catalog,
                ObjectProvider<ParkingAnnouncer> announcer) {
            return new ParkingLot(
                    properties.serviceName(),
                    jdbc,
                    workOrders,
                    outbox,
                    announcer.getIfAvailable(
                            () -> new LanguageAnnouncer(language(catalog).operations())));
        }

        /**
         * Each step in a transaction of its own, also within a request whose answer is stored in one: what was handled stays
         * handled if the next event fails.
         */
        @Bean
        @ConditionalOnMissingBean
        ParkedEvents parkedEvents(
                SagaProperties properties,
                JdbcOperations jdbc,
                PlatformTransactionManager transactions,
                Reactor<?> reactor,
                ParkingLot parkingLot,
                WorkOrders workOrders) {
            var step = new TransactionTemplate(transactions);
            step.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            return new ParkedEvents(properties.serviceName(), jdbc, step, reactor, parkingLot, workOrders);
        }
    }

    /** A service that only announces. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = ENABLED, havingValue = "false")
    static final class Deaf {

        @Bean
        LaneContainers laneContainers() {
            return LaneContainers.NONE;
        }
    }

    /** A service that listens. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = ENABLED, havingValue = "true", matchIfMissing = true)
    static final class Hearing {

        @Bean
        LaneContainers laneContainers(
                SagaProperties properties,
                ObjectProvider<Participant<?>> participant,
                ObjectProvider<Reactor<?>> reactor,
                CompensationLimit limit,
                ConsumerFactory<?, ?> consumers,
                ObjectProvider<MeterRegistry> meters) {
            return LaneContainers.of(
                    properties,
                    participant(participant),
                    reactor.getObject(),
                    limit,
                    consumers.getConfigurationProperties(),
                    meters(meters));
        }

        @Bean
        @ConditionalOnMissingBean
        CompensationLimit compensationLimit(SagaProperties properties) {
            return new CompensationLimit(properties.consumer().compensationRate());
        }

        private static Participant<?> participant(ObjectProvider<Participant<?>> participant) {
            return participant.getIfAvailable(() -> {
                throw new IllegalStateException(
                        "This service hears nothing: declare a bean of type Participant, or set " + ENABLED
                                + "=false if it only announces.");
            });
        }
    }
}
