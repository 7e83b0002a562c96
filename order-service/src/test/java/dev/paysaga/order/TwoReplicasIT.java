package dev.paysaga.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.testkit.TestTokens;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Two replicas as processes: the same request at both at once, and one of them dying or standing still while it holds an
 * Idempotency-Key. A lock in the database holds a request at the very moment that matters.
 */
final class TwoReplicasIT {

    /** Long enough that a replica on a loaded machine does not lose its own by being slow. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    /** Usually a second or two after it; a loaded machine may take its time. */
    private static final Duration SOON_AFTER_LEASE = LEASE.plusSeconds(40);

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static PostgresDatabase database;
    private static OrderProcess other;

    private final String merchant = "m-" + UUID.randomUUID();
    private final String key = UUID.randomUUID().toString();
    private final String order = """
            {"outTradeNo": "T-1", "payerAccountId": "w", "currency": "EUR",
             "lines": [{"sku": "tea", "quantity": 2, "unitPrice": 300}]}""";
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final HttpClient http = HttpClient.newHttpClient();
    private OrderProcess holder;

    @BeforeAll
    static void startTheOther() throws Exception {
        database = PostgresServer.shared().createDatabase("order");
        other = replica();
    }

    @AfterAll
    static void stopTheOther() {
        if (other != null) {
            other.close();
        }
    }

    @BeforeEach
    void startTheHolder() throws Exception {
        holder = replica();
        // Neither is to be measured while it does everything for the first time.
        for (OrderProcess replica : new OrderProcess[] {holder, other}) {
            var client = new RetrySafeClient(replica::address, () -> TestTokens.token("warm-up", "orders:write"));
            assertThat(client.post("/v1/orders", UUID.randomUUID().toString(), order, DEADLINE)
                            .statusCode())
                    .isEqualTo(202);
        }
    }

    @AfterEach
    void stopTheHolder() {
        if (holder != null) {
            holder.close();
        }
        http.close();
    }

    private static OrderProcess replica() throws Exception {
        return OrderProcess.start(database, "--saga.idempotency.lease=" + LEASE.toSeconds() + "s");
    }

    @Test
    void twoHundredEqualRequestsAtOnceAreOneOrder() throws Exception {
        List<HttpResponse<String>> answers = atOnce(200, any -> key);

        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.statusCode()).as(answer.body()).isIn(202, 409));
        assertThat(answers.stream()
                        .filter(answer -> answer.statusCode() == 202)
                        .map(HttpResponse::body)
                        .distinct())
                .hasSize(1);
        assertThat(orders()).isEqualTo(1);
        assertThat(announced()).isEqualTo(1);
    }

    @Test
    void twoHundredKeysAtOnceForOneNumberAreOneOrder() throws Exception {
        List<HttpResponse<String>> answers =
                atOnce(200, any -> UUID.randomUUID().toString());

        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202));
        assertThat(answers.stream()
                        .map(answer -> answer.headers().firstValue("Location"))
                        .distinct())
                .hasSize(1);
        assertThat(orders()).isEqualTo(1);
        assertThat(announced()).isEqualTo(1);
    }

    private List<HttpResponse<String>> atOnce(int count, IntFunction<String> keys) {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            URI address = (i % 2 == 0 ? holder : other).address();
            sent.add(http.sendAsync(
                    request(address, Map.of("Idempotency-Key", keys.apply(i))), HttpResponse.BodyHandlers.ofString()));
        }
        return sent.stream().map(CompletableFuture::join).toList();
    }

    /** Before anything was written, and when half of it was. */
    @ParameterizedTest(name = "killed while it waits for {0}")
    @ValueSource(strings = {"orders", "outbox"})
    void killedBetweenClaimAndEffectItsClientIsAnsweredByTheOtherAsSoonAsTheLeaseEnds(String table) throws Exception {
        var address = new AtomicReference<>(holder.address());
        try (var thread = Executors.newSingleThreadExecutor();
                Connection lock = locked(table)) {
            long start = System.nanoTime();
            Future<HttpResponse<String>> answer =
                    thread.submit(() -> client(address).post("/v1/orders", key, order, DEADLINE));
            await(() -> leased() == 1 && waitingForLocks() == 1);

            address.set(other.address());
            holder.kill();
            lock.rollback();

            assertThat(answer.get().statusCode()).isEqualTo(202);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(LEASE, SOON_AFTER_LEASE);
        }
        assertThat(orders()).isEqualTo(1);
        assertThat(announced()).isEqualTo(1);
    }

    @Test
    void killedBetweenEffectAndAnswerItsClientIsToldByTheOtherWhatWasDone() throws Exception {
        CompletableFuture<HttpResponse<String>> first = http.sendAsync(
                request(holder.address(), Map.of("Prefer", "wait=30")), HttpResponse.BodyHandlers.ofString());
        await(() -> finished() == 1); // committed; and whoever prefers to wait has not been answered yet
        assertThat(first).isNotDone();
        UUID id = jdbc.sql("select order_id from orders where merchant_id = ?")
                .param(merchant)
                .query(UUID.class)
                .single();

        holder.kill();
        // At the first attempt: it need not wait until a lease ends.
        HttpResponse<String> answer =
                http.send(request(other.address(), Map.of()), HttpResponse.BodyHandlers.ofString());

        assertThat(first).failsWithin(DEADLINE);
        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(answer.body()).contains(id.toString());
        assertThat(orders()).isEqualTo(1);
        assertThat(announced()).isEqualTo(1);
    }

    /** It comes back while the other is at work, or when all is done and the database has ended its session. */
    @ParameterizedTest(name = "it comes back when the other is done: {0}")
    @ValueSource(booleans = {false, true})
    void stoppedPastItsLeaseAndContinuedItChangesNothing(boolean late) throws Exception {
        CompletableFuture<HttpResponse<String>> stopped;
        HttpResponse<String> taken;
        try (var thread = Executors.newSingleThreadExecutor();
                Connection lock = locked("outbox")) {
            stopped = http.sendAsync(request(holder.address(), Map.of()), HttpResponse.BodyHandlers.ofString());
            await(() -> leased() == 1 && waitingForLocks() == 1);
            UUID fence = token();
            holder.pause();
            Future<HttpResponse<String>> taking = thread.submit(
                    () -> client(new AtomicReference<>(other.address())).post("/v1/orders", key, order, DEADLINE));
            await(() -> !token().equals(fence) && waitingForLocks() == 2);
            lock.rollback(); // the stopped one holds the number that the other waits for, and does not know
            if (late) {
                taken = taking.get();
                holder.resume();
            } else {
                holder.resume();
                taken = taking.get();
            }
        }

        HttpResponse<String> answer = stopped.get();
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(202);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(late ? 503 : 409);
        for (OrderProcess replica : new OrderProcess[] {holder, other}) {
            HttpResponse<String> again =
                    client(new AtomicReference<>(replica.address())).post("/v1/orders", key, order, DEADLINE);
            assertThat(again.body()).isEqualTo(taken.body());
            assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        }
        assertThat(orders()).isEqualTo(1);
        assertThat(announced()).isEqualTo(1);
    }

    @Test
    void askedToStopItTellsThoseWhoPreferToWaitHowThingsStandAndEndsInGoodOrder() {
        CompletableFuture<HttpResponse<String>> waiting = http.sendAsync(
                request(holder.address(), Map.of("Prefer", "wait=30")), HttpResponse.BodyHandlers.ofString());
        await(() -> finished() == 1); // committed; nobody decides, so the wait would last

        holder.askToStop();

        assertThat(waiting).succeedsWithin(DEADLINE);
        assertThat(waiting.join().statusCode()).isEqualTo(202);
        assertThat(holder.exitCode()).isEqualTo(128 + 15);
    }

    private RetrySafeClient client(AtomicReference<URI> address) {
        return new RetrySafeClient(address::get, () -> TestTokens.token(merchant, "orders:write"));
    }

    private HttpRequest request(URI address, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(address.resolve("/v1/orders"))
                .header("Authorization", "Bearer " + TestTokens.token(merchant, "orders:write"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(order));
        headers.forEach(request::setHeader);
        return request.build();
    }

    private static Connection locked(String table) throws Exception {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("lock table " + table + " in access exclusive mode");
        }
        return connection;
    }

    private long leased() {
        return keys("status is null");
    }

    private long finished() {
        return keys("status is not null");
    }

    private long keys(String state) {
        return count("select count(*) from idempotency_keys where scope like '%' || ? and " + state, merchant);
    }

    private UUID token() {
        return jdbc.sql("select token from idempotency_keys where scope like '%' || ?")
                .param(merchant)
                .query(UUID.class)
                .single();
    }

    private long waitingForLocks() {
        return jdbc.sql("""
                        select count(*) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock' and query like 'insert%'""").query(Long.class).single();
    }

    private long orders() {
        return count("select count(*) from orders where merchant_id = ?", merchant);
    }

    private long announced() {
        return count("""
                select count(*) from outbox
                where aggregate_id in (select order_id::text from orders where merchant_id = ?)""", merchant);
    }

    private long count(String sql, String parameter) {
        return jdbc.sql(sql).param(parameter).query(Long.class).single();
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(DEADLINE).pollInterval(Duration.ofMillis(20)).until(condition::getAsBoolean);
    }
}
