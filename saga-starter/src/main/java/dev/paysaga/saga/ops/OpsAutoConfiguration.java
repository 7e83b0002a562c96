package dev.paysaga.saga.ops;

import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import dev.paysaga.saga.inbox.Reactor;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.EventCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The operators' side of every service with a database. */
@AutoConfiguration(
        after = {
            SagaAutoConfiguration.class,
            DataSourceAutoConfiguration.class,
            FlywayAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class
        },
        afterName = "dev.paysaga.saga.inbox.InboxAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(DataSource.class)
public final class OpsAutoConfiguration {

    @Bean
    StatementApi statementApi(
            SagaProperties properties,
            ObjectProvider<StatementSection> sections,
            DataSource database,
            PlatformTransactionManager transactions,
            JsonMapper json) {
        return new StatementApi(new Statement(
                properties.serviceName(), sections.orderedStream().toList(), database, transactions, json));
    }

    @Bean
    @ConditionalOnBean(ParkedEvents.class)
    ParkedEventsApi parkedEventsApi(ParkedEvents events) {
        return new ParkedEventsApi(events);
    }

    @Bean
    @ConditionalOnBean(Reactor.class)
    WorkOrdersApi workOrdersApi(
            SagaProperties properties,
            WorkOrders orders,
            Reactor<?> reactor,
            ParkedEvents parked,
            EventCatalog language,
            Outbox outbox,
            PlatformTransactionManager transactions) {
        return new WorkOrdersApi(
                orders,
                new WorkOrderDesk(
                        properties.serviceName(),
                        orders,
                        reactor,
                        parked,
                        language,
                        outbox,
                        new TransactionTemplate(transactions)));
    }

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @DependsOnDatabaseInitialization
    OpenWorkOrders openWorkOrders(WorkOrders orders, MeterRegistry meters) {
        return new OpenWorkOrders(orders, meters);
    }
}
