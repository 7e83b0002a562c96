package dev.paysaga.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.inbox.ReceivedEvent;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;
import org.springframework.transaction.support.TransactionTemplate;

/** Outcomes are recorded and shown. Every test has an order of its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "saga.consumer.enabled=false")
class NotificationsIT {

    private static final String MERCHANT = "tea-house";

    @Autowired
    private NotificationParticipant notification;

    @Autowired
    private TransactionTemplate transaction;

    @LocalServerPort
    private int port;

    private final UUID order = newId();
    private final OrderPaid paid = new OrderPaid(order, MERCHANT, "T-1", "EUR", 1000L, null);
    private RestTestClient http;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("notification").forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void connect() {
        http = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
    }

    @Test
    void eachOutcomeIsToldWithWhatThereIsToSay() {
        poll(received(paid), received(refunded("F1", 300, 300)), received(refunded("F2", 700, 1000)));

        notifications(TestTokens.token(MERCHANT, "orders:read"), order)
                .expectStatus()
                .isOk()
                .expectBody()
                .json("""
                        {"notifications": [
                          {"kind": "OrderPaid", "outTradeNo": "T-1", "refundNo": null,
                           "data": {"currency": "EUR", "amount": 1000}},
                          {"kind": "OrderRefunded", "outTradeNo": "T-1", "refundNo": "F1",
                           "data": {"currency": "EUR", "amount": 300, "refundedAmount": 300}},
                          {"kind": "OrderRefunded", "outTradeNo": "T-1", "refundNo": "F2",
                           "data": {"currency": "EUR", "amount": 700, "refundedAmount": 1000}}
                        ]}""");
    }

    @Test
    void anEventThatComesTwiceIsToldOnce() {
        ReceivedEvent event = received(paid);

        poll(event);
        poll(event);

        assertTold(1);
    }

    @Test
    void anOutcomeThatComesUnderAnotherIdIsToldOnce() {
        poll(received(paid), received(paid));
        poll(received(paid));

        assertTold(1);
    }

    @Test
    void aMerchantReadsAboutItsOwnOrdersOnly() {
        poll(received(new OrderClosed(order, MERCHANT, "T-1", "OUT_OF_STOCK", null)));

        notifications(TestTokens.token("m-other", "orders:read"), order)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.notifications.length()")
                .isEqualTo(0);
    }

    @Test
    void whoMayNeitherReadOrdersNorSetUpWebhooksReadsNothing() {
        notifications(TestTokens.token(MERCHANT, "stock:write"), order)
                .expectStatus()
                .isForbidden();
        notifications(TestTokens.token(MERCHANT, "notifications:write"), order)
                .expectStatus()
                .isOk();
    }

    @Test
    void anOrderIdIsNeededAndMustBeOne() {
        String token = "Bearer " + TestTokens.token(MERCHANT, "orders:read");

        http.get()
                .uri("/v1/notifications")
                .header("Authorization", token)
                .exchange()
                .expectStatus()
                .isBadRequest();
        http.get()
                .uri("/v1/notifications?orderId=7")
                .header("Authorization", token)
                .exchange()
                .expectStatus()
                .isBadRequest();
    }

    @Test
    void theStatementListsWhatMerchantsWereTold() {
        poll(received(paid), received(refunded("F1", 300, 300)));

        http.get()
                .uri("/v1/statement?sections=notifications")
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.notifications[?(@.orderId == '" + order + "')].kind")
                .isEqualTo(List.of("OrderPaid", "OrderRefunded"))
                .jsonPath("$.notifications[?(@.orderId == '" + order + "')].refundNo")
                .isEqualTo(java.util.Arrays.asList(null, "F1"))
                .jsonPath("$.complete")
                .isEqualTo(true);
    }

    @Test
    void stepsOnTheWayAreNoOutcomes() {
        assertThat(notification.concerns(new OrderConfirmed(order, MERCHANT))).isFalse();
        assertThat(notification.concerns(paid)).isTrue();
    }

    private void poll(ReceivedEvent... events) {
        transaction.executeWithoutResult(status -> {
            var entries = notification.load(List.of(events));
            Stream.of(events).forEach(event -> notification.react(event, entries));
            notification.save(entries);
        });
    }

    private void assertTold(int times) {
        notifications(TestTokens.token(MERCHANT, "orders:read"), order)
                .expectBody()
                .jsonPath("$.notifications.length()")
                .isEqualTo(times);
    }

    private ResponseSpec notifications(String token, UUID orderId) {
        return http.get()
                .uri("/v1/notifications?orderId={id}", orderId)
                .header("Authorization", "Bearer " + token)
                .exchange();
    }

    private OrderRefunded refunded(String refundNo, long amount, long total) {
        return new OrderRefunded(order, MERCHANT, "T-1", refundNo, "EUR", amount, total, null);
    }

    private static ReceivedEvent received(SpecificRecord event) {
        return new ReceivedEvent(newId(), event, "order.events", "key", null);
    }

    private static UUID newId() {
        return EventIds.next(System.currentTimeMillis());
    }
}
