package dev.paysaga.saga.idempotency;

import dev.paysaga.saga.web.ProblemWriter;
import dev.paysaga.saga.web.WebAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/** Puts every POST below {@code /v1/} behind an Idempotency-Key. */
@AutoConfiguration(
        after = {
            WebAutoConfiguration.class,
            JdbcClientAutoConfiguration.class,
            DataSourceTransactionManagerAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean({JdbcClient.class, PlatformTransactionManager.class})
@ConditionalOnBooleanProperty(name = "saga.idempotency.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotencyProperties.class)
public class IdempotencyAutoConfiguration {

    /** After the body limit: bodies are read here. */
    private static final int ORDER = WebAutoConfiguration.BODY_LIMIT_ORDER + 10;

    @Bean
    KeyStore idempotencyKeys(JdbcClient jdbc, IdempotencyProperties properties) {
        return new KeyStore(jdbc, properties.lease(), properties.retention());
    }

    @Bean
    KeyRetention idempotencyRetention(KeyStore keys, IdempotencyProperties properties) {
        return new KeyRetention(keys, properties.cleanUpInterval());
    }

    @Bean
    FilterRegistrationBean<IdempotentPost> idempotentPost(
            IdempotencyProperties properties,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            KeyStore keys,
            PlatformTransactionManager transactions,
            ProblemWriter problems,
            MeterRegistry registry) {
        var filter = new IdempotentPost(
                properties.paths().stream()
                        .map(PathPatternParser.defaultInstance::parse)
                        .toList(),
                new Doorkeeper(mappings),
                keys,
                transactions,
                problems,
                new KeyMetrics(registry));
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(ORDER);
        return registration;
    }
}
