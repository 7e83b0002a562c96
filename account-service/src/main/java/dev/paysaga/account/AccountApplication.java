package dev.paysaga.account;

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

/** The money of all merchants. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(AccountProperties.class)
@EnableScheduling
public class AccountApplication {

    public static void main(String[] args) {
        SpringApplication.run(AccountApplication.class, args);
    }

    @Bean
    static EventCatalog eventCatalog() {
        return new PaymentSaga();
    }

    @Bean
    static TransitionLog paymentLog(JdbcOperations jdbc, MeterRegistry meters) {
        return TransitionLog.of(jdbc, meters, "payment");
    }
}
