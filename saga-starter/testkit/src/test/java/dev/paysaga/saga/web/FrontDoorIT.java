package dev.paysaga.saga.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.wire.ConfluentWire;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a caller sees of the starter's HTTP manners, through a real server. */
final class FrontDoorIT {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String JWK_SET_URI = "spring.security.oauth2.resourceserver.jwt.jwk-set-uri=";
    private static FrontDoor door;

    @BeforeAll
    static void open() {
        door = new FrontDoor(Shop.class);
    }

    @AfterAll
    static void close() {
        door.close();
    }

    @Test
    void aWellFormedOrderIsReadExactly() throws Exception {
        HttpResponse<String> answer = door.send(door.post("/orders", """
                {"no":"A1","amount":9223372036854775807,"gift":true,"lines":[{"sku":"S","quantity":2}],"kind":"FAST"}"""));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("acme merchant:acme [orders:write] 9223372036854775807");
    }

    @ParameterizedTest(name = "{0}: {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"no":"A","amount":1,"gift":true,"color":"red"}                  | color             | is not a field
            {"lines":[{"sku":"a","quantity":1,"skew":1}]}                    | lines[0].skew     | is not a field
            {"no":"A","amount":1,"amount":2,"gift":true}                     | amount            | is given twice
            {"lines":[{"quantity":1},{"sku":"a","sku":"b","quantity":1}]}    | lines[1].sku      | is given twice
            {"no":"A","amount":1.0,"gift":true}                              | amount            | must be a whole number
            {"no":"A","amount":1e3,"gift":true}                              | amount            | must be a whole number
            {"no":"A","amount":0.1,"gift":true}                              | amount            | must be a whole number
            {"no":"A","amount":"100","gift":true}                            | amount            | must be a whole number
            {"no":"A","amount":"","gift":true}                               | amount            | must be a whole number
            {"no":"A","amount":true,"gift":true}                             | amount            | must be a whole number
            {"no":"A","amount":[1],"gift":true}                              | amount            | must be a whole number
            {"no":"A","amount":9223372036854775808,"gift":true}              | amount            | must be a whole number
            {"no":"A","amount":-99999999999999999999999,"gift":true}         | amount            | must be a whole number
            {"no":"A","amount":null,"gift":true}                             | amount            | must not be null
            {"no":"A","gift":true}                                           | amount            | is missing
            {"lines":[{"sku":"a","quantity":2147483648}]}                    | lines[0].quantity | must be a whole number
            {"lines":[{"sku":"a","quantity":2.5}]}                           | lines[0].quantity | must be a whole number
            {"lines":[{"sku":"a","quantity":null}]}                          | lines[0].quantity | must not be null
            {"lines":[{"sku":"a"}]}                                          | lines[0].quantity | is missing
            {"lines":{"sku":"a"}}                                            | lines             | must be a list
            {"lines":["a"]}                                                  | lines[0]          | must be an object
            {"lines":""}                                                     | lines             | must be a list
            {"no":7}                                                         | no                | must be a string
            {"no":true}                                                      | no                | must be a string
            {"no":1.5}                                                       | no                | must be a string
            {"no":{}}                                                        | no                | must be a string
            {"no":"a\\u0000b"}                                               | no                | must be a string without U+0000
            {"no":"a\\ud800b"}                                               | no                | must be a string without U+0000
            {"no":"a\\udc00"}                                                | no                | must be a string without U+0000
            {"gift":"true"}                                                  | gift              | must be true or false
            {"gift":1}                                                       | gift              | must be true or false
            {"kind":"SLOWEST"}                                               | kind              | must be one of FAST, SLOW
            {"kind":0}                                                       | kind              | must be one of FAST, SLOW
            {"kind":""}                                                      | kind              | must be one of FAST, SLOW
            {"id":"not-a-uuid"}                                              | id                | must be a UUID
            {"at":"yesterday"}                                               | at                | must be a time in RFC 3339
            {"at":1}                                                         | at                | must be a time in RFC 3339
            {"no":"A","amount":1,"gift":true} {}                             | body              | must be one JSON value
            {"no":"A","amount":1,"gift":true}]                               | body              | is not well-formed
            {"no":"A",                                                       | body              | is not well-formed
            {"amount":01}                                                    | body              | is not well-formed
            {"amount":NaN}                                                   | body              | is not well-formed
            []                                                               | body              | must be an object
            "text"                                                           | body              | must be an object
            7                                                                | body              | must be an object
            """)
    void whatIsNotExactlyAnOrderIsRefusedByName(String body, String field, String message) throws Exception {
        HttpResponse<String> answer = door.send(door.post("/orders", body));

        JsonNode problem = problem(answer, 400, "invalid-request");
        assertThat(problem.at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(problem.at("/errors/0/message").asString()).startsWith(message);
    }

    @Test
    void anEmptyBodyIsMissing() throws Exception {
        assertThat(problem(door.send(door.post("/orders", "")), 400, "invalid-request")
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("body");
    }

    @Test
    void whatTheFrameworkRefusesIsAProblemToo() throws Exception {
        problem(door.send(door.post("/nowhere", "{}")), 404, "not-found");
        HttpResponse<String> wrongMethod = door.send(door.post("/orders", "{}").DELETE());
        problem(wrongMethod, 405, "method-not-allowed");
        assertThat(wrongMethod.headers().firstValue("Allow")).hasValue("POST");
        problem(
                door.send(door.post("/orders", "a=b").setHeader("Content-Type", "text/plain")),
                415,
                "unsupported-media-type");
        problem(
                door.send(door.post("/orders", "a=b").setHeader("Content-Type", "multipart/form-data")),
                415,
                "unsupported-media-type");
        problem(door.send(door.post("/line", "{}").GET().header("Accept", "image/png")), 406, "not-acceptable");
        problem(door.send(door.post("/orders/not-a-uuid", "{}").GET()), 400, "invalid-request");
        problem(door.send(door.post("/search?limit=x", "{}").GET()), 400, "invalid-request");
        problem(door.send(door.post("/search", "{}").GET()), 400, "invalid-request");
        problem(door.send(door.post("/search?limit=1&text=a%00b", "{}").GET()), 400, "bad-request");
    }

    @Test
    void aProblemOfTheServiceKeepsItsMembersAndHeaders() throws Exception {
        HttpResponse<String> answer = door.send(door.post("/refuse", "{}"));

        assertThat(problem(answer, 409, "out-of-stock").get("orderId").asString())
                .isEqualTo("o-1");
        assertThat(answer.headers().firstValue("Location")).hasValue("/orders/o-1");
        assertThat(answer.body()).isEqualTo("""
                {"type":"urn:paysaga:problem:out-of-stock","title":"Out of stock","status":409,\
                "detail":"There is none left.","orderId":"o-1"}""");
    }

    @Test
    void aFaultIsAnsweredWithoutItsTrace() throws Exception {
        HttpResponse<String> answer = door.send(door.post("/fail", "{}"));

        assertThat(problem(answer, 500, "internal-error").get("instance").asString())
                .startsWith("urn:uuid:");
        assertThat(answer.body())
                .doesNotContain("secret")
                .doesNotContain("Exception")
                .doesNotContain("at dev.");
    }

    @Test
    void aSchemaRegistryThatCannotBeAskedIsToldAsAPassingThing() throws Exception {
        HttpResponse<String> answer = door.send(door.post("/announce", "{}"));

        problem(answer, 503, "unavailable");
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    }

    @Test
    void aBodyOverTheLimitIsRefusedWithAndWithoutContentLength() throws Exception {
        byte[] large = ("{\"no\":\"" + "x".repeat(256 * 1024) + "\"}").getBytes();

        problem(
                door.send(door.post("/orders", "").POST(HttpRequest.BodyPublishers.ofByteArray(large))),
                413,
                "payload-too-large");
        problem(
                door.send(door.post("/orders", "")
                        .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))),
                413,
                "payload-too-large");
    }

    @Test
    void withoutAValidTokenNobodyGetsIn() throws Exception {
        HttpResponse<String> none = door.send(door.request("/orders").POST(HttpRequest.BodyPublishers.ofString("{}")));
        problem(none, 401, "unauthorized");
        assertThat(none.headers().firstValue("WWW-Authenticate").orElseThrow()).startsWith("Bearer");

        String expired =
                TestTokens.tokenWith(Map.of("exp", Date.from(Instant.now().minusSeconds(600))));
        for (String bad : List.of(
                "nonsense",
                expired,
                TestTokens.tokenWith(Collections.singletonMap("exp", null)),
                TestTokens.tokenWith(Map.of("exp", Date.from(Instant.now().plus(Duration.ofDays(2))))),
                TestTokens.tokenWith(Map.of("merchant_id", "~")),
                TestTokens.tokenWith(Map.of("merchant_id", "a/b")),
                TestTokens.tokenWith(Map.of("merchant_id", 7)),
                TestTokens.tokenWith(Map.of("sub", "")))) {
            HttpResponse<String> answer =
                    door.send(door.post("/orders", GOOD).setHeader("Authorization", "Bearer " + bad));
            problem(answer, 401, "unauthorized");
            assertThat(answer.headers().firstValue("WWW-Authenticate").orElseThrow())
                    .contains("invalid_token");
        }
    }

    @Test
    void aTokenThatWasRememberedIsOnlyItself() throws Exception {
        String token = TestTokens.token("acme", "orders:write");
        String[] parts = token.split("\\.");
        String others = TestTokens.token("bolt", "orders:write").split("\\.")[1];
        assertThat(door.send(door.post("/orders", GOOD).setHeader("Authorization", "Bearer " + token))
                        .statusCode())
                .isEqualTo(200);

        for (String forged : List.of(
                parts[0] + "." + others + "." + parts[2],
                parts[0] + "." + parts[1] + ".",
                parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()))) {
            problem(
                    door.send(door.post("/orders", GOOD).setHeader("Authorization", "Bearer " + forged)),
                    401,
                    "unauthorized");
        }
    }

    @Test
    void anIssuersKeySetIsEnough() throws Exception {
        HttpServer issuer = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        byte[] keys = TestTokens.jwkSet().getBytes(StandardCharsets.UTF_8);
        issuer.createContext("/keys", exchange -> {
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        issuer.start();
        String address = "http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys";
        try (var trusting = new FrontDoor(Shop.class, JWK_SET_URI + address)) {
            assertThat(trusting.send(trusting.post("/orders", GOOD)).statusCode())
                    .isEqualTo(200);
            problem(
                    trusting.send(trusting.post("/orders", GOOD)
                            .setHeader(
                                    "Authorization",
                                    "Bearer " + TestTokens.tokenWith(Collections.singletonMap("exp", null)))),
                    401,
                    "unauthorized");
        } finally {
            issuer.stop(0);
        }
    }

    @Test
    void anIssuerThatCannotBeAskedIsNobodysFault() throws Exception {
        try (var lost = new FrontDoor(Shop.class, JWK_SET_URI + "http://127.0.0.1:1/keys")) {
            HttpResponse<String> answer = lost.send(lost.post("/orders", GOOD));

            problem(answer, 503, "unavailable");
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
        }
    }

    @Test
    void theScopeMayBeAStringOrAListAndIsNeeded() throws Exception {
        HttpResponse<String> lacking = door.send(door.post("/orders", GOOD)
                .setHeader("Authorization", "Bearer " + TestTokens.tokenWith(Map.of("scope", "orders:read"))));
        problem(lacking, 403, "forbidden");
        assertThat(lacking.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("insufficient_scope");

        assertThat(door.send(door.post("/orders", GOOD)
                                .setHeader(
                                        "Authorization",
                                        "Bearer "
                                                + TestTokens.tokenWith(Map.of(
                                                        "scope",
                                                        List.of("orders:read", "orders:write"),
                                                        "merchant_id",
                                                        "m"))))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aTokenWithoutAMerchantIsToldSo() throws Exception {
        problem(
                door.send(door.post("/orders", GOOD)
                        .setHeader("Authorization", "Bearer " + TestTokens.tokenWith(Map.of("scope", "orders:write")))),
                403,
                "merchant-required");
    }

    @Test
    void managementEndpointsAnswerOnTheirOwnPortOnly() throws Exception {
        HttpRequest.Builder own = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + door.managementPort() + "/actuator/health/liveness"));
        assertThat(door.send(own).statusCode()).isEqualTo(200);
        assertThat(door.send(door.request("/actuator/health")).statusCode()).isEqualTo(401);
        problem(door.send(door.post("/actuator/health", "").GET()), 404, "not-found");
        HttpRequest.Builder business =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + door.managementPort() + "/orders"));
        assertThat(door.send(business).statusCode()).isEqualTo(401);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void neitherBodiesNorTokensReachTheLog(CapturedOutput log) throws Exception {
        String token = TestTokens.token("acme", "orders:write");
        for (String path : List.of("/orders", "/fail", "/refuse", "/nowhere", "/line")) {
            for (String body : List.of(
                    "{\"no\":4111111111111111}",
                    "{\"no\":\"4111111111111111\",\"pan\":1}",
                    "{\"no\":\"4111111111111111\"",
                    "4111111111111111")) {
                door.send(door.post(path, body).setHeader("Authorization", "Bearer " + token));
                door.send(door.post(path, body)
                        .setHeader("Authorization", "Bearer " + token.substring(0, token.length() - 9)));
            }
        }

        assertThat(log.getAll()).contains("POST /fail failed unexpectedly");
        assertThat(log.getAll()).doesNotContain("4111111111111111").doesNotContain(token.substring(0, 40));
    }

    @Test
    void everyAnswerCarriesSecurityHeaders() throws Exception {
        HttpResponse<String> answer = door.send(door.post("/orders", GOOD));

        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'");
        assertThat(answer.headers().firstValue("Cache-Control").orElseThrow()).contains("no-store");
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void whatTheServerRefusesBeforeAnyFilterIsAProblemToo() throws Exception {
        for (String line : List.of("GET /%zz HTTP/1.1", "GET /a\\b HTTP/1.1", "GET /orders/../..%2f HTTP/1.1")) {
            String answer = raw(line + "\r\nHost: a\r\nConnection: close\r\n\r\n");

            assertThat(answer)
                    .startsWith("HTTP/1.1 400")
                    .doesNotContain("<html")
                    .doesNotContain("Tomcat");
        }
        assertThat(raw("GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .contains("application/problem+json")
                .contains("urn:paysaga:problem:bad-request");
    }

    @Test
    void aMerchantThatAsksTooOftenIsToldWhenToComeBackAndOthersAreNot() throws Exception {
        try (var narrow = new FrontDoor(Shop.class, "saga.web.requests-per-second=0.001", "saga.web.burst=2")) {
            narrow.send(narrow.post("/orders", GOOD));
            narrow.send(narrow.post("/orders", GOOD));

            HttpResponse<String> refused = narrow.send(narrow.post("/orders", GOOD));

            problem(refused, 429, "rate-limited");
            assertThat(Integer.parseInt(
                            refused.headers().firstValue("Retry-After").orElseThrow()))
                    .isBetween(900, 1000);
            assertThat(narrow.send(narrow.post("/orders", GOOD)
                                    .setHeader("Authorization", "Bearer " + TestTokens.token("bolt", "orders:write")))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private static String raw(String request) throws Exception {
        try (var socket = new Socket("127.0.0.1", door.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static final String GOOD = "{\"no\":\"A\",\"amount\":1,\"gift\":true}";

    private static JsonNode problem(HttpResponse<String> answer, int status, String slug) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode problem = JSON.readTree(answer.body());
        assertThat(problem.get("type").asString()).isEqualTo("urn:paysaga:problem:" + slug);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("detail").asString()).isNotBlank();
        return problem;
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration(
            exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class, KafkaAutoConfiguration.class})
    @Import(ShopApi.class)
    static class Shop {}

    enum Kind {
        FAST,
        SLOW
    }

    record Line(String sku, int quantity) {}

    record NewOrder(
            @Nullable UUID id,
            String no,
            @Nullable Instant at,
            @Nullable Kind kind,
            @Nullable List<Line> lines,
            long amount,
            boolean gift) {}

    @RestController
    static class ShopApi {

        @PostMapping("/orders")
        @PreAuthorize("hasAuthority('SCOPE_orders:write')")
        String place(@RequestBody NewOrder order, Caller caller) {
            return caller.merchant() + " " + caller.subject() + " " + caller.scopes() + " " + order.amount();
        }

        @GetMapping("/orders/{id}")
        String show(@PathVariable UUID id) {
            return id.toString();
        }

        @GetMapping("/search")
        String search(@RequestParam int limit, @RequestParam(defaultValue = "") String text) {
            return text + limit;
        }

        @GetMapping("/line")
        Line line() {
            return new Line("a", 1);
        }

        @PostMapping("/refuse")
        void refuse() {
            throw Problem.of(HttpStatus.CONFLICT, "out-of-stock", "There is none left.")
                    .with("orderId", "o-1")
                    .withHeader("Location", "/orders/o-1");
        }

        @PostMapping("/announce")
        void announce() {
            byte[] ofAnUnknownSchema = {0, 0, 0, 0, 1, 2};
            ConfluentWire.of("http://127.0.0.1:1").decode(ofAnUnknownSchema);
        }

        @PostMapping("/fail")
        void fail() {
            throw new IllegalStateException("secret");
        }
    }
}
