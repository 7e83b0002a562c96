package dev.paysaga.saga.ops;

import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import tools.jackson.databind.json.JsonMapper;

/** The operators' side of every service with a database. */
@AutoConfiguration(
        after = {SagaAutoConfiguration.class, DataSourceAutoConfiguration.class, TransactionAutoConfiguration.class})
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
}
