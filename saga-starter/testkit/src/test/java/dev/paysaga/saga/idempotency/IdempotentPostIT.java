package dev.paysaga.saga.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.testkit.api.Mutations;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Idempotency-Key layer: two replicas on one real PostgreSQL. */
final class IdempotentPostIT {

    private static final String PATH = "/v1/tills/1/bookings";
    private static final String SAME = "{\"amount\":5}";

    /** Nothing happens by itself here, and nobody is turned away for being slow. */
    private static final String[] CALM = {
        "spring.datasource.hikari.maximum-pool-size=8",
        "spring.datasource.hikari.connection-timeout=60000",
        "saga.idempotency.lease=10m",
        "saga.idempotency.clean-up-interval=1d"
    };

    private static Till till;
    private static Till second;

    @BeforeAll
    static void open() {
        var database = PostgresServer.shared().createDatabase("till");
        till = new Till(database, CALM);
        second = new Till(database, CALM);
    }

    @AfterAll
    static void close() {
        second.close();
        till.close();
    }

    @BeforeEach
    void forget() {
        till.forgetAll();
    }

    /**
     * The contract's table: a first request, then a second one.
     *
     * <p>Columns: key and body of the first and its status; key and body of the second, its status, the kind of problem
     * and whether it was replayed; bookings in the end.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            nullValues = "-",
            textBlock = """
            case                                       | key 1 | body 1                          | status | key 2   | body 2                          | status | slug                      | replayed | bookings
            a key must be there                        | -     | {"amount":5}                    | 400    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            a key must be well formed                  | "k    | {"amount":5}                    | 400    | k k     | {"amount":5}                    | 400    | idempotency-key-malformed | false    | 0
            the same request is answered again         | k     | {"amount":5}                    | 202    | k       | {"amount":5}                    | 202    | -                         | true     | 1
            order and spaces do not matter             | k     | {"amount":5,"how":""}           | 202    | k       | { "how" : "", "amount" : 5 }    | 202    | -                         | true     | 1
            a quoted key is the same key               | "k"   | {"amount":5}                    | 202    | k       | {"amount":5}                    | 202    | -                         | true     | 1
            another key is another request             | k     | {"amount":5}                    | 202    | K       | {"amount":5}                    | 202    | -                         | false    | 2
            another body under the same key            | k     | {"amount":5}                    | 202    | k       | {"amount":6}                    | 422    | idempotency-key-reused    | false    | 1
            the last digit of a large amount counts    | k     | {"amount":9007199254740992}     | 202    | k       | {"amount":9007199254740993}     | 422    | idempotency-key-reused    | false    | 1
            a refusal that was thrown is stored        | k     | {"amount":5,"how":"refuse"}     | 409    | k       | {"amount":5,"how":"refuse"}     | 409    | out-of-stock              | true     | 0
            a refusal that was returned is stored      | k     | {"amount":5,"how":"decline"}    | 402    | k       | {"amount":5,"how":"decline"}    | 402    | -                         | true     | 1
            what was not found stays not found         | k     | {"amount":5,"how":"missing"}    | 404    | k       | {"amount":5,"how":"missing"}    | 404    | not-found                 | true     | 0
            an invalid request frees its key           | k     | {"amount":5,"how":"invalid"}    | 400    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            so does a malformed one                    | k     | {"amount":5                     | 400    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            so does a forbidden one                    | k     | {"amount":5,"how":"forbid"}     | 403    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            so does a fault                            | k     | {"amount":5,"how":"fail"}       | 500    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            so does a 503 that was returned            | k     | {"amount":5,"how":"unavailable"}| 503    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            success without its effect is a fault      | k     | {"amount":5,"how":"swallow"}    | 500    | k       | {"amount":5}                    | 202    | -                         | false    | 1
            """,
            useHeadersInDisplayName = true)
    void tableOfCases(
            String name,
            @Nullable String firstKey,
            String firstBody,
            int firstStatus,
            String secondKey,
            String secondBody,
            int secondStatus,
            @Nullable String slug,
            boolean replayed,
            int bookings)
            throws Exception {
        HttpResponse<String> first = till.send(post(till, firstKey, firstBody));
        HttpResponse<String> again = second.send(post(second, secondKey, secondBody));

        assertThat(first.statusCode()).as(first.body()).isEqualTo(firstStatus);
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(again.statusCode()).as(again.body()).isEqualTo(secondStatus);
        assertThat(again.headers().firstValue("Idempotency-Replayed").isPresent())
                .isEqualTo(replayed);
        if (slug != null) {
            assertThat(again.body()).contains("\"urn:paysaga:problem:" + slug + "\"");
        }
        if (replayed) {
            assertThat(again.body()).isEqualTo(first.body());
            for (String header : List.of("Content-Type", "Location")) {
                assertThat(again.headers().firstValue(header))
                        .isEqualTo(first.headers().firstValue(header));
            }
            assertThat(again.headers().firstValue("X-Served-By")).isEmpty();
        }
        assertThat(till.bookings()).isEqualTo(bookings);
    }

    @Test
    void anotherPathUnderTheSameKeyIsAnotherRequest() throws Exception {
        till.send(post(till, "k", SAME));

        HttpResponse<String> other =
                till.send(till.post("/v1/tills/2/bookings", SAME).header("Idempotency-Key", "k"));

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(till.bookings()).isEqualTo(1);
    }

    @Test
    void twoHeadersAreMalformed() throws Exception {
        HttpResponse<String> answer = till.send(post(till, "a", SAME).header("Idempotency-Key", "b"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("idempotency-key-malformed");
    }

    @Test
    void aKeyOfOneMerchantSaysNothingToAnother() throws Exception {
        till.send(post(till, "k", SAME));

        HttpResponse<String> other = till.send(
                post(till, "k", SAME).setHeader("Authorization", "Bearer " + TestTokens.token("bolt", "orders:write")));

        assertThat(other.statusCode()).isEqualTo(202);
        assertThat(other.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(till.bookings()).isEqualTo(2);
    }

    @Test
    void aStoredAnswerIsNotToldToTheSameMerchantsTokenWithoutTheScope() throws Exception {
        till.send(post(till, "k", SAME));

        HttpResponse<String> other = till.send(
                post(till, "k", SAME).setHeader("Authorization", "Bearer " + TestTokens.token("acme", "orders:read")));

        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(other.body()).contains("urn:paysaga:problem:forbidden");
    }

    @Test
    void nobodyWithoutATokenLeavesAKeyBehind() throws Exception {
        HttpResponse<String> stranger = till.send(post(till, "k", SAME).setHeader("Authorization", "Bearer nonsense"));

        assertThat(stranger.statusCode()).isEqualTo(401);
        assertThat(till.keys()).isZero();
    }

    @Test
    void aRequestThatIsStillRunningIsNotRunTwice() throws Exception {
        String waiting = "{\"amount\":5,\"how\":\"wait\"}";
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> first = threads.submit(till.sending(at(till, "busy", "k", waiting)));
            entered("busy");

            HttpResponse<String> meanwhile = second.send(at(second, "busy", "k", waiting));

            assertThat(meanwhile.statusCode()).isEqualTo(409);
            assertThat(meanwhile.body()).contains("urn:paysaga:problem:request-in-progress");
            assertThat(meanwhile.headers().firstValue("Retry-After")).hasValue("1");
            gate("busy").countDown();
            assertThat(first.get().statusCode()).isEqualTo(202);
        }
        assertThat(till.bookings()).isEqualTo(1);
    }

    @Test
    void aHolderThatComesBackAfterItsLeaseChangesNothing() throws Exception {
        String waiting = "{\"amount\":5,\"how\":\"wait\"}";
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> paused = threads.submit(till.sending(at(till, "paused", "k", waiting)));
            entered("paused");
            endLeases();
            double before = takeovers(second);
            Future<HttpResponse<String>> taking = threads.submit(second.sending(at(second, "paused", "k", waiting)));
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> takeovers(second) > before);
            gate("paused").countDown();

            HttpResponse<String> taken = taking.get();
            assertThat(taken.statusCode()).isEqualTo(202);
            HttpResponse<String> late = paused.get();
            assertThat(late.statusCode()).isEqualTo(409);
            assertThat(late.body()).contains("request-in-progress");
            HttpResponse<String> again = till.send(at(till, "paused", "k", waiting));
            assertThat(again.body()).isEqualTo(taken.body());
            assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        }
        assertThat(till.bookings()).isEqualTo(1);
    }

    @Test
    void theNextSameRequestTakesOverFromAHolderThatDied() throws Exception {
        KeyStore keys = till.bean(KeyStore.class);
        var key = new IdempotencyKey("merchant/acme", "k");
        keys.claim(key, Fingerprint.of("POST", PATH, SAME.getBytes()));
        assertThat(second.send(post(second, "k", SAME)).statusCode()).isEqualTo(409);
        assertThat(second.send(post(second, "k", "{\"amount\":6}")).statusCode())
                .isEqualTo(422);

        endLeases();

        assertThat(second.send(post(second, "k", "{\"amount\":6}")).statusCode())
                .isEqualTo(422);
        HttpResponse<String> answer = second.send(post(second, "k", SAME));

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(till.bookings()).isEqualTo(1);
    }

    @Test
    void twoHundredAtOnceHaveOneEffect() throws Exception {
        List<HttpResponse<String>> answers = atOnce(200, i -> {
            Till replica = i % 2 == 0 ? till : second;
            return replica.sending(post(replica, "k", SAME));
        });

        assertThat(till.bookings()).isEqualTo(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isIn(202, 409));
        Set<String> bodies = new HashSet<>();
        answers.stream().filter(answer -> answer.statusCode() == 202).forEach(answer -> bodies.add(answer.body()));
        assertThat(bodies).hasSize(1);
    }

    @Test
    void ofTwoDifferentRequestsAtOnceUnderOneKeyOneIsHandledAndTheOtherWritesNothing() throws Exception {
        List<HttpResponse<String>> answers = atOnce(40, i -> {
            Till replica = i % 2 == 0 ? till : second;
            return replica.sending(post(replica, "k", "{\"amount\":" + (1 + i % 2) + "}"));
        });

        assertThat(till.bookings()).isEqualTo(1);
        assertThat(answers).extracting(HttpResponse::statusCode).contains(202, 422);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isIn(202, 409, 422));
    }

    @Test
    void anAnswerThatWouldComeLaterIsRefusedBeforeItHasAnEffect() throws Exception {
        HttpResponse<String> answer = till.send(till.post("/v1/later", "").header("Idempotency-Key", "k"));

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(till.bookings()).isZero();
        assertThat(till.keys()).isZero();
    }

    @Test
    void aBodyThatBreaksItsFramingIsRefusedAndNotAFault() throws Exception {
        String answer = till.raw(
                """
                POST %s HTTP/1.1
                Host: till
                Authorization: Bearer %s
                Idempotency-Key: k
                Content-Type: application/json
                Transfer-Encoding: chunked

                nonsense
                """.formatted(PATH, TestTokens.token("acme", "orders:write")).replace("\n", "\r\n"));

        assertThat(answer).startsWith("HTTP/1.1 400").contains("urn:paysaga:problem:bad-request");
        assertThat(till.keys()).isZero();
    }

    @Test
    void onlyTheDatabasesClockSaysWhatIsForgotten() throws Exception {
        till.send(post(till, "old", SAME));
        till.send(post(till, "new", SAME));
        till.jdbc.sql("""
                        update idempotency_keys
                        set claimed_at = claimed_at - interval '25 h', finished_at = finished_at - interval '25 h'
                        where key = 'old'""").update();

        HttpResponse<String> forgotten = till.send(post(till, "old", "{\"amount\":7}"));
        assertThat(forgotten.statusCode()).isEqualTo(202);
        assertThat(forgotten.headers().firstValue("Idempotency-Replayed")).isEmpty();

        till.jdbc.sql("""
                        update idempotency_keys
                        set claimed_at = claimed_at - interval '25 h', finished_at = finished_at - interval '25 h'
                        where key = 'old'""").update();
        assertThat(till.bean(KeyRetention.class).cleanUp()).isEqualTo(1);
        assertThat(till.keys()).isEqualTo(1);
    }

    @Test
    void outcomesAreCounted() throws Exception {
        double before = replays(till);
        till.send(post(till, "k", SAME));
        till.send(post(till, "k", SAME));

        assertThat(replays(till)).isEqualTo(before + 1);
        assertThat(till.bean(MeterRegistry.class)
                        .get("paysaga.idempotency.hit.ratio")
                        .gauge()
                        .value())
                .isBetween(0.01, 0.99);
    }

    /** Whatever is sent, the answer is never a fault of ours, and what is refused has written nothing. */
    @Test
    void mutatedRequestsAreNeverAFault() throws Exception {
        long seed = Long.getLong("paysaga.seed", System.nanoTime());
        Random random = new Random(seed);
        long expected = 0;
        for (int i = 0; i < 1500; i++) {
            String body = Mutations.of("{\"amount\":5,\"how\":\"x\"}", random);
            String key = random.nextInt(4) == 0
                    ? Mutations.of("key", random)
                    : UUID.randomUUID().toString();
            HttpRequest.Builder request;
            try {
                request = post(till, key, body);
            } catch (IllegalArgumentException notSendable) {
                continue;
            }
            if (random.nextInt(10) == 0) {
                request.setHeader(
                        "Content-Type",
                        Mutations.oneOf(
                                random,
                                "text/plain",
                                "application/json;charset=utf-16",
                                "a/b",
                                "application/x-www-form-urlencoded"));
            }
            if (random.nextInt(10) == 0) {
                request.setHeader(
                        "Accept", Mutations.oneOf(random, "text/html", "*/*", "application/xml;q=0.1", "nonsense"));
            }
            HttpResponse<String> answer = till.send(request);
            assertThat(answer.statusCode())
                    .as("seed " + seed + ", " + body + ": " + answer.body())
                    .isBetween(200, 499);
            if (answer.statusCode() == 202
                    && answer.headers().firstValue("Idempotency-Replayed").isEmpty()) {
                expected++;
            }
        }
        assertThat(till.bookings()).as("seed " + seed).isEqualTo(expected);
        assertThat(expected).as("some mutations stay valid").isPositive();
    }

    private static HttpRequest.Builder post(Till replica, @Nullable String key, String body) {
        HttpRequest.Builder request = replica.post(PATH, body);
        return key == null ? request : request.header("Idempotency-Key", key);
    }

    private static HttpRequest.Builder at(Till replica, String place, String key, String body) {
        return replica.post("/v1/tills/" + place + "/bookings", body).header("Idempotency-Key", key);
    }

    /** As if the database's clock had moved past them. */
    private static void endLeases() {
        till.jdbc
                .sql(
                        "update idempotency_keys set leased_until = clock_timestamp() - interval '1 ms' where status is null")
                .update();
    }

    private static void entered(String place) throws InterruptedException {
        assertThat(Till.ENTERED
                        .computeIfAbsent(place, any -> new CountDownLatch(1))
                        .await(1, TimeUnit.MINUTES))
                .isTrue();
    }

    private static CountDownLatch gate(String place) {
        return Till.GATES.computeIfAbsent(place, any -> new CountDownLatch(1));
    }

    private static double takeovers(Till replica) {
        return outcome(replica, "takeover");
    }

    private static double replays(Till replica) {
        return outcome(replica, "replayed");
    }

    private static double outcome(Till replica, String outcome) {
        return replica.bean(MeterRegistry.class)
                .get("paysaga.idempotency.requests")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private interface Numbered {
        Callable<HttpResponse<String>> request(int number);
    }

    private static List<HttpResponse<String>> atOnce(int count, Numbered requests) throws Exception {
        List<Callable<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(requests.request(i));
        }
        List<HttpResponse<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<HttpResponse<String>> answer : threads.invokeAll(all)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }
}
