package dev.paysaga.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.testkit.api.ApiContract;
import dev.paysaga.testkit.api.HostileClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** The API as a whole: what its document promises, what hostile clients meet, and what the tables alone would stop. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"saga.consumer.enabled=false", "order.deadlines.poll=1d"})
class OrderApiContractIT {

    @LocalServerPort
    private int port;

    @Autowired
    private DataSource dataSource;

    @Autowired
    private JdbcClient jdbc;

    private final String merchant = "m-" + UUID.randomUUID();
    private final String token = TestTokens.token(merchant, "orders:write", "orders:read");
    private HostileClient hostile;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("order").forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void connect() throws Exception {
        hostile = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource);
    }

    @AfterEach
    void disconnect() {
        hostile.close();
    }

    @Test
    void theDocumentIsCurrentAndBreaksNobody() {
        ApiContract.verify("order", hostile.document());
    }

    @Test
    void whatIsSentToAnyPostIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        assertThat(hostile.posts())
                .containsExactly("/v1/orders", "/v1/orders/{orderId}/cancel", "/v1/orders/{orderId}/refunds");
        UUID paid = paid();
        Iterator<UUID> placed = Stream.generate(this::place).limit(50).toList().iterator();

        assertThat(hostile.sends("/v1/orders", () -> "/v1/orders", token, this::order, 500))
                .isPositive();
        assertThat(hostile.sends(
                        "/v1/orders/{orderId}/cancel",
                        () -> "/v1/orders/" + placed.next() + "/cancel",
                        token,
                        () -> "{}",
                        50))
                .isPositive();
        assertThat(hostile.sends(
                        "/v1/orders/{orderId}/refunds",
                        () -> "/v1/orders/" + paid + "/refunds",
                        token,
                        OrderApiContractIT::refund,
                        300))
                .isPositive();
    }

    @Test
    void whatIsSentToTheOperatorsDeskIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        String ops = TestTokens.operatorToken("ops");

        assertThat(hostile.sendsDecisions("ANY", "m", ops, "{\"action\": \"WRITE_OFF\", \"note\": \"counted\"}", 100))
                .isPositive();
        assertThat(hostile.sendsReleases("order", ops, 60)).isPositive();
    }

    @Test
    void theDocumentTellsTheTruthAboutEachField() throws Exception {
        UUID paid = paid();

        hostile.checksItsFields("/v1/orders", () -> "/v1/orders", token, this::order);
        hostile.checksItsFields(
                "/v1/orders/{orderId}/refunds",
                () -> "/v1/orders/" + paid + "/refunds",
                token,
                OrderApiContractIT::refund);
    }

    @Test
    void withoutKeysAndWithoutChecksTheIndexStillStopsASecondOrder() {
        UUID first = place();

        assertThatThrownBy(() -> jdbc.sql("""
                                insert into orders
                                select (jsonb_populate_record(o, jsonb_build_object('order_id', gen_random_uuid()))).*
                                from orders o where order_id = ?""").param(first).update())
                .isInstanceOf(DuplicateKeyException.class)
                .hasMessageContaining("out_trade_no");
    }

    @Test
    void withoutKeysAndWithoutChecksTheIndexStillStopsASecondRefund() {
        UUID paid = paid();
        post("/v1/orders/" + paid + "/refunds", refund());

        assertThatThrownBy(() -> jdbc.sql("""
                                insert into refunds
                                select (jsonb_populate_record(r, jsonb_build_object('amount', 2))).*
                                from refunds r where order_id = ?""").param(paid).update())
                .isInstanceOf(DuplicateKeyException.class)
                .hasMessageContaining("refunds_pkey");
    }

    /** Sixteen connections, forty who wait: were one held for each, the seventeenth order would have to wait for an outcome. */
    @Test
    void whoWaitsForAnOutcomeHoldsNoConnection() throws Exception {
        int clients = 40;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var http = HttpClient.newHttpClient()) {
            Callable<HttpResponse<String>> waiting = () -> http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/orders"))
                            .header("Authorization", "Bearer " + token)
                            .header("Idempotency-Key", UUID.randomUUID().toString())
                            .header("Content-Type", "application/json")
                            .header("Prefer", "wait=30")
                            .POST(HttpRequest.BodyPublishers.ofString(order()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            var answers = Stream.generate(() -> threads.submit(waiting))
                    .limit(clients)
                    .toList();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> undecided() == clients);
            assertThat(answers).noneMatch(Future::isDone);

            jdbc.sql("update orders set state = 30 where merchant_id = ?")
                    .param(merchant)
                    .update();
            for (var answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(201);
                assertThat(answer.get().headers().firstValue("Preference-Applied"))
                        .hasValue("wait=30");
            }
        }
    }

    private int undecided() {
        return jdbc.sql("select count(*) from orders where merchant_id = ? and state = 10")
                .param(merchant)
                .query(Integer.class)
                .single();
    }

    @Test
    void theGuideSaysWhatHappens() throws Exception {
        List<CurlExample> examples = CurlExample.in(guide());
        assertThat(examples).hasSizeGreaterThan(8);
        Map<String, String> variables = Map.of(
                "ORDER",
                "http://127.0.0.1:" + port,
                "TOKEN",
                token,
                "KEY",
                UUID.randomUUID().toString());

        for (CurlExample example : examples) {
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(example.request(variables), HttpResponse.BodyHandlers.ofString());

            assertThat(example.outcome(answer)).as(example.command()).isEqualTo(example.expected());
        }
    }

    @Test
    void theGuidesClientIsTheOneThatIsTested() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/paysaga/order/RetrySafeClient.java"));

        assertThat(guide()).contains(source.substring(source.indexOf("import ")));
    }

    private static String guide() throws Exception {
        return Files.readString(Path.of("../docs/http.md"));
    }

    private String order() {
        return """
                {"outTradeNo": "%s", "payerAccountId": "w", "currency": "EUR", "amount": 600,
                 "notifyUrl": "https://shop.example/hook",
                 "lines": [{"sku": "tea", "quantity": 2, "unitPrice": 300}]}""".formatted(UUID.randomUUID());
    }

    private static String refund() {
        return """
                {"refundNo": "%s", "amount": 1, "reason": "broken", "restock": []}""".formatted(UUID.randomUUID());
    }

    private UUID place() {
        return UUID.fromString(post("/v1/orders", order()).get("orderId").asString());
    }

    /** An order that was paid, as far as its row is concerned. */
    private UUID paid() {
        UUID order = place();
        jdbc.sql("""
                        update orders set state = 40, stock_committed = true, payment_captured = true, deadline_at = null
                        where order_id = ?""").param(order).update();
        return order;
    }

    private JsonNode post(String path, String body) {
        return RestClient.create()
                .post()
                .uri("http://127.0.0.1:" + port + path)
                .header("Authorization", "Bearer " + token)
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .retrieve()
                .body(JsonNode.class);
    }
}
