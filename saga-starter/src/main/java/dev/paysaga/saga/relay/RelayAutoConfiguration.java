package dev.paysaga.saga.relay;

import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The relay of a service that names a role for it. */
@AutoConfiguration(
        after = {
            SagaAutoConfiguration.class,
            JdbcClientAutoConfiguration.class,
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
            JdbcClient jdbc,
            KafkaProperties kafka,
            KafkaConnectionDetails kafkaDetails,
            MeterRegistry meters) {
        var database = new RelayDatabase(
                jdbcDetails.getJdbcUrl(),
                java.util.Objects.requireNonNull(properties.username()),
                properties.password());
        var metrics = new RelayMetrics(meters);
        var relay = new OutboxRelay(
                database,
                jdbc,
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
