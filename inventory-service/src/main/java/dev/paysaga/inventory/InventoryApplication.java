package dev.paysaga.inventory;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.saga.state.TransitionLog;
import dev.paysaga.wire.EventCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The stock of all merchants. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
@EnableConfigurationProperties(InventoryProperties.class)
public class InventoryApplication {

    public static void main(String[] args) {
        SpringApplication.run(InventoryApplication.class, args);
    }

    @Bean
    static EventCatalog eventCatalog() {
        return new PaymentSaga();
    }

    @Bean
    static TransitionLog reservationLog(JdbcOperations jdbc, MeterRegistry meters) {
        return TransitionLog.of(jdbc, meters, "reservation");
    }
}
