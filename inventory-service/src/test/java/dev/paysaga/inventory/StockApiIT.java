package dev.paysaga.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** Goods come in over HTTP. Every test has a merchant of its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "saga.consumer.enabled=false")
class StockApiIT {

    @LocalServerPort
    private int port;

    private final String merchant = "m-" + UUID.randomUUID();
    private final String token = TestTokens.token(merchant, "stock:write");
    private RestTestClient http;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("inventory").forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void connect() {
        http = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
    }

    @Test
    void theFirstReceiptOfAProductCreatesItsShelf() {
        stock(token, "tea").expectStatus().isNotFound();

        receive("tea", "{'receiptNo': 'R1', 'quantity': 5}")
                .expectStatus()
                .isCreated()
                .expectBody()
                .json("{\"receiptNo\": \"R1\", \"sku\": \"tea\", \"quantity\": 5}");

        stock(token, "tea")
                .expectStatus()
                .isOk()
                .expectBody()
                .json("{\"sku\": \"tea\", \"onHand\": 5, \"reserved\": 0, \"available\": 5}");
    }

    @Test
    void aReceiptSentAgainIsTakenInOnceAndAnsweredTheSame() {
        byte[] first = body(receive("tea", "{'receiptNo': 'R1', 'quantity': 5}"));
        byte[] second = body(receive("tea", "{'receiptNo': 'R1', 'quantity': 5}")
                .expectStatus()
                .isCreated());

        assertThat(second).isEqualTo(first);
        assertOnHand("tea", 5);
    }

    @Test
    void anotherReceiptAddsToTheShelf() {
        receive("tea", "{'receiptNo': 'R1', 'quantity': 5}");
        receive("tea", "{'receiptNo': 'R2', 'quantity': 3}").expectStatus().isCreated();

        assertOnHand("tea", 8);
    }

    @ParameterizedTest
    @CsvSource({"tea, 6", "cup, 5"})
    void aReceiptNumberUsedForOtherGoodsIsRefused(String sku, long quantity) {
        receive("tea", "{'receiptNo': 'R1', 'quantity': 5}");

        receive(sku, "{'receiptNo': 'R1', 'quantity': " + quantity + "}")
                .expectStatus()
                .isEqualTo(409)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .json("{\"type\": \"urn:paysaga:problem:receipt-no-conflict\", \"receiptNo\": \"R1\"}");

        assertOnHand("tea", 5);
        if (sku.equals("cup")) {
            stock(token, sku).expectStatus().isNotFound();
        }
    }

    @Test
    void theSameReceiptManyTimesAtOnceIsTakenInOnce() throws Exception {
        List<Callable<Integer>> calls = IntStream.range(0, 8)
                .<Callable<Integer>>mapToObj(i -> () -> status(receive("tea", "{'receiptNo': 'R1', 'quantity': 5}")))
                .toList();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : threads.invokeAll(calls)) {
                assertThat(status.get()).isEqualTo(201);
            }
        }

        assertOnHand("tea", 5);
    }

    @Test
    void manyFirstReceiptsOfOneProductAtOnceAllCount() throws Exception {
        List<Callable<Integer>> calls = IntStream.range(0, 8)
                .<Callable<Integer>>mapToObj(
                        i -> () -> status(receive("tea", "{'receiptNo': 'R" + i + "', 'quantity': 5}")))
                .toList();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : threads.invokeAll(calls)) {
                assertThat(status.get()).isEqualTo(201);
            }
        }

        assertOnHand("tea", 40);
    }

    @Test
    void moreThanAShelfCanCountIsRefusedAndForgotten() {
        receive("tea", "{'receiptNo': 'R1', 'quantity': 9223372036854775806}")
                .expectStatus()
                .isCreated();

        receive("tea", "{'receiptNo': 'R2', 'quantity': 2}")
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("quantity");
        receive("tea", "{'receiptNo': 'R2', 'quantity': 1}").expectStatus().isCreated();

        assertOnHand("tea", Long.MAX_VALUE);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            {'receiptNo': 'R1'}                                 | quantity
            {'receiptNo': 'R1', 'quantity': 0}                  | quantity
            {'receiptNo': 'R1', 'quantity': -1}                 | quantity
            {'receiptNo': 'R1', 'quantity': 1.5}                | quantity
            {'receiptNo': 'R1', 'quantity': '1'}                | quantity
            {'receiptNo': 'R1', 'quantity': 1e19}               | quantity
            {'receiptNo': 'R1', 'quantity': 10000000000000000000} | quantity
            {'quantity': 1}                                     | receiptNo
            {'receiptNo': ' ', 'quantity': 1}                   | receiptNo
            {'receiptNo': 7, 'quantity': 1}                     | receiptNo
            {'receiptNo': 'a\\tb', 'quantity': 1}               | receiptNo
            {'receiptNo': 'R1', 'quantity': 1, 'colour': 'red'} | colour
            """, quoteCharacter = '"')
    void whatIsWrongIsNamed(String json, String field) {
        receive("tea", json)
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:paysaga:problem:invalid-request")
                .jsonPath("$.errors[0].field")
                .isEqualTo(field);

        stock(token, "tea").expectStatus().isNotFound();
    }

    @Test
    void aMerchantSeesItsOwnShelvesOnly() {
        receive("tea", "{'receiptNo': 'R1', 'quantity': 5}");

        stock(TestTokens.token("m-other", "stock:write"), "tea").expectStatus().isNotFound();
    }

    @Test
    void goodsAreTakenInWithTheScopeForItOnly() {
        post(TestTokens.token(merchant, "orders:read"), "tea", "{'receiptNo': 'R1', 'quantity': 5}")
                .expectStatus()
                .isForbidden();
        receive("tea", "{'receiptNo': 'R1', 'quantity': 5}");

        stock(TestTokens.token(merchant, "orders:read"), "tea").expectStatus().isOk();
        stock(TestTokens.token(merchant, "accounts:read"), "tea").expectStatus().isForbidden();
    }

    @Test
    void anOrderThatWasNeverSeenHasNoReservation() {
        http.get()
                .uri("/v1/reservations/{id}", UUID.randomUUID())
                .header("Authorization", "Bearer " + token)
                .exchange()
                .expectStatus()
                .isNotFound();
        http.get()
                .uri("/v1/reservations/nonsense")
                .header("Authorization", "Bearer " + token)
                .exchange()
                .expectStatus()
                .isBadRequest();
    }

    private ResponseSpec receive(String sku, String json) {
        return post(token, sku, json);
    }

    private ResponseSpec post(String bearer, String sku, String json) {
        return http.post()
                .uri("/v1/stock/{sku}/receipts", sku)
                .header("Authorization", "Bearer " + bearer)
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .contentType(MediaType.APPLICATION_JSON)
                .body(json.replace('\'', '"'))
                .exchange();
    }

    private ResponseSpec stock(String bearer, String sku) {
        return http.get()
                .uri("/v1/stock/{sku}", sku)
                .header("Authorization", "Bearer " + bearer)
                .exchange();
    }

    private void assertOnHand(String sku, long units) {
        stock(token, sku).expectBody().jsonPath("$.onHand").isEqualTo(units);
    }

    private static byte[] body(ResponseSpec response) {
        return response.returnResult(byte[].class).getResponseBody();
    }

    private static int status(ResponseSpec response) {
        return response.returnResult(byte[].class).getStatus().value();
    }
}
