package dev.paysaga.saga;

import dev.paysaga.saga.workorder.WorkOrders;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcOperations;

/** What every service in a saga has. The packages beside it bring their own configurations. */
@AutoConfiguration(after = JdbcTemplateAutoConfiguration.class, before = FlywayAutoConfiguration.class)
public final class SagaAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static SagaProperties sagaProperties(Environment environment) {
        return SagaProperties.of(environment);
    }

    /** The starter's migrations are V1 to V99, the service's start at V100: one history, one schema. */
    @Bean
    static FlywayConfigurationCustomizer sagaMigrations(SagaProperties properties) {
        return flyway -> {
            var placeholders = new java.util.HashMap<>(flyway.getPlaceholders());
            String relay = properties.relay().username();
            placeholders.putIfAbsent("relay_role", relay == null ? "current_user" : relay);
            flyway.locations("classpath:db/saga", "classpath:db/migration").placeholders(placeholders);
        };
    }

    @Bean
    @ConditionalOnMissingBean
    WorkOrders workOrders(JdbcOperations jdbc) {
        return new WorkOrders(jdbc);
    }
}
