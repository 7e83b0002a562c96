package dev.paysaga.notification;

import dev.paysaga.saga.ops.StatementSection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What notification-service has written down, for reconciliation. */
@Configuration(proxyBeanMethods = false)
class NotificationStatement {

    @Bean
    static StatementSection notificationsOfStatement() {
        return new StatementSection("notifications", """
                select notification_id, order_id, merchant_id, out_trade_no, kind, refund_no, recorded_at
                  from notifications
                 where order_id >= :fromId and order_id < :toId
                """);
    }
}
