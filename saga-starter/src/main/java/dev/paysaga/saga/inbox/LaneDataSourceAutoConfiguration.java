package dev.paysaga.saga.inbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Connection pools by lane behind one {@link DataSource}, with the settings {@code spring.datasource} and
 * {@code spring.datasource.hikari}. Backs off if the service has a data source of its own.
 */
@AutoConfiguration(after = SagaAutoConfiguration.class, before = DataSourceAutoConfiguration.class)
@ConditionalOnMissingBean(DataSource.class)
@EnableConfigurationProperties(DataSourceProperties.class)
final class LaneDataSourceAutoConfiguration {

    /**
     * A replica that is paused in the middle of a transaction holds its locks; after this time the server lets others go on.
     * As long as an idempotency lease.
     */
    private static final String SESSION_OPTIONS = "-c idle_in_transaction_session_timeout=30s";

    @Bean
    LaneDataSource dataSource(
            SagaProperties saga,
            DataSourceProperties properties,
            ObjectProvider<JdbcConnectionDetails> details,
            Environment environment) {
        HikariDataSource compensation = pool(properties, details, environment);
        compensation.setMaximumPoolSize(saga.consumer().compensationPool());
        compensation.setMinimumIdle(Math.min(1, saga.consumer().compensationPool()));
        compensation.setPoolName(saga.serviceName() + "-compensation");
        HikariDataSource main = pool(properties, details, environment);
        if (main.getPoolName() == null) {
            main.setPoolName(saga.serviceName());
        }
        return new LaneDataSource(main, compensation);
    }

    private static HikariDataSource pool(
            DataSourceProperties properties, ObjectProvider<JdbcConnectionDetails> details, Environment environment) {
        JdbcConnectionDetails given = details.getIfAvailable();
        DataSourceBuilder<?> builder = given == null
                ? properties.initializeDataSourceBuilder()
                : DataSourceBuilder.create()
                        .url(given.getJdbcUrl())
                        .username(given.getUsername())
                        .password(given.getPassword())
                        .driverClassName(given.getDriverClassName());
        HikariDataSource pool = builder.type(HikariDataSource.class).build();
        Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(pool));
        pool.getDataSourceProperties().putIfAbsent("options", SESSION_OPTIONS);
        return pool;
    }
}
