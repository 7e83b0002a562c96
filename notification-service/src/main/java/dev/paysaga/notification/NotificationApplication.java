package dev.paysaga.notification;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.wire.EventCatalog;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** What merchants are told. */
@SpringBootApplication(proxyBeanMethods = false)
public class NotificationApplication {

    public static void main(String[] args) {
        SpringApplication.run(NotificationApplication.class, args);
    }

    @Bean
    static EventCatalog eventCatalog() {
        return new PaymentSaga();
    }
}
