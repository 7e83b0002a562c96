package dev.paysaga.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.outbox.ThingHappened;
import dev.paysaga.saga.outbox.Things;
import dev.paysaga.saga.relay.OutboxRelay;
import dev.paysaga.saga.relay.RelayState;
import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.TestServers;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A service that has the starter, a language and nothing else. */
final class StarterIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void aServiceWithALanguageAnnouncesWhatItCommits() {
        KafkaBroker.shared().createTopics(List.of(Things.TOPIC), 3);
        Map<String, Object> properties = TestServers.properties("things");
        properties.put("spring.application.name", "things");
        properties.put("spring.main.web-application-type", "none");
        // It announces and hears nothing.
        properties.put("saga.consumer.enabled", false);
        var application = new SpringApplication(Service.class);
        application.setDefaultProperties(properties);

        try (var context = application.run()) {
            UUID cause = EventIds.next(System.currentTimeMillis());
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> context.getBean(Outbox.class)
                            .append(new Announcement(cause, List.of(new ThingHappened("it")), null)));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(KafkaBroker.shared().read(List.of(Things.TOPIC)))
                            .singleElement()
                            .satisfies(record -> assertThat(record.key()).isEqualTo("it")));
            var relay = context.getBean(OutboxRelay.class);
            await().atMost(PATIENCE).until(() -> relay.state() == RelayState.LEADER);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(context.getBean("relayHealthIndicator", HealthIndicator.class)
                                .health()
                                .getStatus())
                        .isEqualTo(Status.UP);
                assertThat(context.getBean(PrometheusMeterRegistry.class).scrape())
                        .contains("paysaga_outbox_lag_seconds ")
                        .contains("paysaga_outbox_slot_retained_bytes ")
                        .contains("paysaga_outbox_published_total 1.0")
                        .contains("paysaga_relay_leader 1.0");
            });
            assertThat(context.getEnvironment().getProperty("logging.level.io.debezium"))
                    .isEqualTo("warn");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {

        @Bean
        Things things() {
            return new Things();
        }
    }
}
