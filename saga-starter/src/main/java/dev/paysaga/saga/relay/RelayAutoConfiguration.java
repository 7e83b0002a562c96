package dev.paysaga.saga.relay;

import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/** The relay of a service that names a role for it. */
@AutoConfiguration(
        after = {
            SagaAutoConfiguration.class,
            DataSourceAutoConfiguration.class,
            KafkaAutoConfiguration.class,
            FlywayAutoConfiguration.class
        })
@ConditionalOnProperty("saga.relay.username")
@ConditionalOnBooleanProperty(name = "saga.relay.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RelayProperties.class)
public final class RelayAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    OutboxRelay outboxRelay(
            SagaProperties saga,
            RelayProperties properties,
            JdbcConnectionDetails jdbcDetails,
            KafkaProperties kafka,
            KafkaConnectionDetails kafkaDetails,
            ObjectProvider<MeterRegistry> meterRegistry) {
        MeterRegistry meters = meterRegistry.getIfAvailable(SimpleMeterRegistry::new);
        var database = new RelayDatabase(
                jdbcDetails.getJdbcUrl(), Objects.requireNonNull(properties.username()), properties.password());
        var owner = new RelayDatabase(
                jdbcDetails.getJdbcUrl(),
                Objects.requireNonNullElse(jdbcDetails.getUsername(), ""),
                Objects.requireNonNullElse(jdbcDetails.getPassword(), ""));
        var metrics = new RelayMetrics(meters);
        var relay = new OutboxRelay(
                database,
                owner,
                properties,
                producer(kafka, kafkaDetails),
                new CloudEvents(saga.serviceName()),
                metrics);
        metrics.observe(meters, relay);
        return relay;
    }

    @Bean
    @ConditionalOnMissingBean(name = "relayHealthIndicator")
    RelayHealth relayHealthIndicator(OutboxRelay relay, RelayProperties properties) {
        return new RelayHealth(relay, properties);
    }

    private static Map<String, Object> producer(KafkaProperties kafka, KafkaConnectionDetails details) {
        Map<String, Object> settings = new HashMap<>(kafka.buildProducerProperties());
        settings.put("bootstrap.servers", details.getProducer().getBootstrapServers());
        return settings;
    }
}
