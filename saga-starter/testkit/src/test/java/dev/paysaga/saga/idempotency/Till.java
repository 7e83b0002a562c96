package dev.paysaga.saga.idempotency;

import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.web.Problem;
import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.TestTokens;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** One replica of a service that books amounts; what it booked is counted in its database. */
final class Till implements AutoCloseable {

    /** Where a booking with {@code "wait"} waits, from its claim to the test's word. */
    static final Map<String, CountDownLatch> ENTERED = new ConcurrentHashMap<>();

    static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;
    private final int port;
    final JdbcClient jdbc;

    Till(PostgresDatabase database, String... properties) {
        this.context = new SpringApplicationBuilder(Service.class)
                .properties(
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.username=" + database.username(),
                        "spring.datasource.password=" + database.password(),
                        "saga.relay.username=" + database.relayUsername(),
                        "spring.application.name=till",
                        "spring.security.oauth2.resourceserver.jwt.public-key-location="
                                + TestTokens.publicKeyLocation(),
                        "server.port=0",
                        // A starved machine must not look like a server that hangs up.
                        "server.tomcat.connection-timeout=5m",
                        "logging.level.root=ERROR",
                        "logging.level.dev.paysaga.saga.web.Problems=OFF",
                        "spring.main.banner-mode=off")
                .properties(properties)
                .run();
        this.port = ((WebServerApplicationContext) context).getWebServer().getPort();
        // Not from the till's pool: a test that looks must not meet the sessions it has ended.
        this.jdbc = JdbcClient.create(database.dataSource());
        jdbc.sql("create table if not exists bookings (merchant text not null, amount bigint not null)")
                .update();
    }

    int port() {
        return port;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    HttpRequest.Builder post(String path, String json) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + TestTokens.token("acme", "orders:write"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends bytes as they are and reads until the server hangs up. */
    String raw(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    Callable<HttpResponse<String>> sending(HttpRequest.Builder request) {
        return () -> send(request);
    }

    long bookings() {
        return jdbc.sql("select count(*) from bookings").query(Long.class).single();
    }

    long keys() {
        return jdbc.sql("select count(*) from idempotency_keys")
                .query(Long.class)
                .single();
    }

    void forgetAll() {
        jdbc.sql("truncate bookings, idempotency_keys").update();
    }

    @Override
    public void close() {
        context.close();
        client.close();
    }

    @SpringBootConfiguration
    @ImportAutoConfiguration({
        org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration.class,
        org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration.class,
        org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration.class,
        org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration.class,
        org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration.class,
        org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration.class,
        org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration.class,
        org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration.class,
        org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration.class,
        org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration.class,
        org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration.class,
        org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration.class,
        org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration.class,
        org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration.class,
        org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration.class,
        org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet
                .OAuth2ResourceServerAutoConfiguration.class,
        org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration.class,
        org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration.class,
        org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration
                .class,
        dev.paysaga.saga.SagaAutoConfiguration.class,
        dev.paysaga.saga.web.TokenAutoConfiguration.class,
        dev.paysaga.saga.web.WebAutoConfiguration.class,
        IdempotencyAutoConfiguration.class
    })
    @Import(Bookings.class)
    static class Service {}

    record Booking(long amount, @Nullable String how) {}

    @RestController
    static class Bookings {

        private final JdbcClient jdbc;
        private final TransactionTemplate transaction;

        Bookings(JdbcClient jdbc, PlatformTransactionManager transactions) {
            this.jdbc = jdbc;
            this.transaction = new TransactionTemplate(transactions);
        }

        @PostMapping("/v1/tills/{till}/bookings")
        @PreAuthorize("hasAuthority('SCOPE_orders:write')")
        ResponseEntity<Object> book(@PathVariable String till, @RequestBody Booking booking, Caller caller) {
            return transaction.execute(inside -> {
                jdbc.sql("insert into bookings values (?, ?)")
                        .params(caller.merchant(), booking.amount())
                        .update();
                return outcome(till, booking);
            });
        }

        private ResponseEntity<Object> outcome(String till, Booking booking) {
            return switch (booking.how() == null ? "" : booking.how()) {
                case "invalid" -> throw new InvalidRequest("amount", "must be more");
                case "refuse" -> throw Problem.of(HttpStatus.CONFLICT, "out-of-stock", "None is left.");
                case "decline" -> ResponseEntity.status(402).body(Map.of("declined", System.nanoTime()));
                case "missing" -> throw Problem.notFound("till");
                case "forbid" -> throw Problem.of(HttpStatus.FORBIDDEN, "forbidden", "Not here.");
                case "fail" -> throw new IllegalStateException("broken");
                case "unavailable" -> ResponseEntity.status(503).build();
                case "swallow" -> swallow();
                case "wait" -> {
                    await(till);
                    yield accepted(till);
                }
                default -> accepted(till);
            };
        }

        private ResponseEntity<Object> swallow() {
            try {
                transaction.executeWithoutResult(inside -> {
                    throw new IllegalStateException("rolls back");
                });
            } catch (IllegalStateException swallowed) {
                // as a careless service would
            }
            return ResponseEntity.ok(Map.of());
        }

        private static ResponseEntity<Object> accepted(String till) {
            return ResponseEntity.accepted()
                    .header("Location", "/v1/tills/" + till + "/bookings/1")
                    .header("X-Served-By", "replica")
                    .body(Map.of("nonce", System.nanoTime()));
        }

        private static void await(String till) {
            try {
                ENTERED.computeIfAbsent(till, any -> new CountDownLatch(1)).countDown();
                if (!GATES.computeIfAbsent(till, any -> new CountDownLatch(1)).await(2, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("nobody opened the gate");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @PostMapping("/v1/later")
        java.util.concurrent.CompletableFuture<String> later() {
            jdbc.sql("insert into bookings values ('later', 1)").update();
            return java.util.concurrent.CompletableFuture.completedFuture("late");
        }

        @PostMapping("/v1/required")
        String required(@RequestParam int number) {
            return "number " + number;
        }
    }
}
