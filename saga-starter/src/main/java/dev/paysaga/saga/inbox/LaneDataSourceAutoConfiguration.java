package dev.paysaga.saga.inbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.paysaga.saga.SagaProperties;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@ConditionalOnMissingBean(DataSource.class)
@EnableConfigurationProperties(DataSourceProperties.class)
final class LaneDataSourceAutoConfiguration {

    /**
     * A replica that is paused in the middle of a transaction holds its locks; after this time the server lets others go on.
     * As long as an idempotency lease: whoever takes over the key then soon gets the locks, too.
     */
    private static final String LOCKS_END_AFTER = "saga.idempotency.lease";

    /** While the database is away, nobody waits longer than this to be told so. Half a minute by default. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** Spring Boot's own bean of this kind backs off together with its pool; whoever connects besides the pool needs it. */
    @Bean
    @ConditionalOnMissingBean
    JdbcConnectionDetails jdbcConnectionDetails(DataSourceProperties properties) {
        return new Configured(properties);
    }

    @Bean
    LaneDataSource dataSource(SagaProperties saga, JdbcConnectionDetails details, Environment environment) {
        HikariDataSource compensation = pool(details, environment);
        compensation.setMaximumPoolSize(saga.consumer().compensationPool());
        compensation.setMinimumIdle(1);
        compensation.setPoolName(saga.serviceName() + "-compensation");
        HikariDataSource main = pool(details, environment);
        if (main.getPoolName() == null) {
            main.setPoolName(saga.serviceName());
        }
        return new LaneDataSource(main, compensation);
    }

    private static HikariDataSource pool(JdbcConnectionDetails details, Environment environment) {
        HikariDataSource pool = DataSourceBuilder.create()
                .type(HikariDataSource.class)
                .url(details.getJdbcUrl())
                .username(details.getUsername())
                .password(details.getPassword())
                .driverClassName(details.getDriverClassName())
                .build();
        pool.setConnectionTimeout(LONGEST_WAIT.toMillis());
        Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(pool));
        pool.getDataSourceProperties().putIfAbsent("options", sessionOptions(environment));
        return pool;
    }

    private static String sessionOptions(Environment environment) {
        Duration patience =
                Binder.get(environment).bind(LOCKS_END_AFTER, Duration.class).orElse(Duration.ofSeconds(30));
        return "-c idle_in_transaction_session_timeout=" + patience.toMillis();
    }

    /** Connections as {@code spring.datasource} says. */
    private record Configured(DataSourceProperties properties) implements JdbcConnectionDetails {

        @Override
        public String getJdbcUrl() {
            return properties.determineUrl();
        }

        @Override
        public @Nullable String getUsername() {
            return properties.determineUsername();
        }

        @Override
        public @Nullable String getPassword() {
            return properties.determinePassword();
        }

        @Override
        public String getDriverClassName() {
            return properties.determineDriverClassName();
        }
    }
}
