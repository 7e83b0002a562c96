package dev.paysaga.saga.outbox;

import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventCatalog;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox of a service that has a language to speak: an {@link EventCatalog}. */
@AutoConfiguration(
        after = {
            SagaAutoConfiguration.class,
            JdbcClientAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            FlywayAutoConfiguration.class
        })
public final class OutboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ConfluentWire confluentWire(SagaProperties properties) {
        return ConfluentWire.of(properties.schemaRegistryUrl());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(EventCatalog.class)
    @DependsOnDatabaseInitialization
    Outbox outbox(
            SagaProperties properties,
            JdbcOperations jdbc,
            EventCatalog catalog,
            ConfluentWire wire,
            ObjectProvider<CurrentTrace> currentTrace) {
        return new Outbox(properties.serviceName(), jdbc, catalog, wire, currentTrace.getIfAvailable(() -> () -> null));
    }

    @Bean
    @DependsOnDatabaseInitialization
    OutboxHousekeeping outboxHousekeeping(
            SagaProperties properties, JdbcClient jdbc, PlatformTransactionManager transactionManager) {
        return new OutboxHousekeeping(new OutboxPartitions(
                jdbc,
                new TransactionTemplate(transactionManager),
                properties.outbox().retention()));
    }
}
