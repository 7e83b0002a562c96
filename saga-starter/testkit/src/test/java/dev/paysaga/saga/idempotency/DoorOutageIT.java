package dev.paysaga.saga.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The database goes away while somebody stands at the door: told to come back, let in when it is there again, never a 500. */
final class DoorOutageIT {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int SESSIONS = 4;
    private static final int OTHER_SESSIONS = SESSIONS - 1;

    private PostgresServer server;
    private PostgresDatabase database;
    private Till till;

    @BeforeEach
    void open() {
        server = PostgresServer.start();
        database = server.createDatabase("till");
        till = new Till(
                database,
                "spring.datasource.hikari.connection-timeout=3000",
                "spring.datasource.hikari.maximum-pool-size=" + SESSIONS,
                // A key that was not freed stays held.
                "saga.idempotency.lease=10m",
                "logging.level.com.zaxxer=OFF");
    }

    @AfterEach
    void close() {
        till.close();
        server.close();
    }

    @Test
    void aSessionThatTheServerEndsInTheMiddleOfARequestHasDoneNothingAndTheKeyIsFree() throws Exception {
        String waiting = "{\"amount\":5,\"how\":\"wait\"}";
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<HttpResponse<String>> first = threads.submit(till.sending(booking("ended", waiting)));
            assertThat(Till.ENTERED
                            .computeIfAbsent("ended", any -> new CountDownLatch(1))
                            .await(1, TimeUnit.MINUTES))
                    .isTrue();
            useAllOtherSessions();

            endAllSessions();
            Till.GATES.computeIfAbsent("ended", any -> new CountDownLatch(1)).countDown();

            comeBack(first.get());
        }
        assertThat(till.keys()).isEqualTo(OTHER_SESSIONS);
        assertThat(till.bookings()).isEqualTo(OTHER_SESSIONS);
        // The pool may hold more sessions that have ended, without knowing it yet: each costs the client one more 503.
        Awaitility.await()
                .atMost(DEADLINE)
                .until(() -> till.send(booking("ended", waiting)).statusCode() == 202);
        assertThat(till.bookings()).isEqualTo(OTHER_SESSIONS + 1);
    }

    @Test
    void aSessionThatEndsAtTheCommitIsNoFaultEither() throws Exception {
        till.jdbc.sql("""
                        create function hang_up() returns trigger language plpgsql as
                        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'""").update();
        till.jdbc.sql("""
                        create constraint trigger hang_up after insert on bookings deferrable initially deferred
                        for each row when (new.amount = 13) execute function hang_up()""").update();

        comeBack(till.send(booking("1", "{\"amount\":13}")));

        assertThat(till.keys()).isZero();
        assertThat(till.bookings()).isZero();
    }

    @Test
    void whileTheDatabaseIsDownAllAreToldToComeBackAndThenLetIn() throws Exception {
        assertThat(till.send(booking("1", "{\"amount\":5}")).statusCode()).isEqualTo(202);

        server.kill();
        for (int i = 0; i < 5; i++) {
            comeBack(till.send(booking("1", "{\"amount\":5}")));
        }
        server.restart();

        HttpResponse<String> answer = Awaitility.await()
                .atMost(DEADLINE)
                .until(() -> till.send(booking("1", "{\"amount\":5}")), again -> again.statusCode() == 202);
        assertThat(answer.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(till.bookings()).isEqualTo(1);
    }

    private HttpRequest.Builder booking(String place, String body) {
        return till.post("/v1/tills/" + place + "/bookings", body).header("Idempotency-Key", "k");
    }

    /** The pool takes a session that was used a moment ago for alive: freeing the key meets every one of these. */
    private void useAllOtherSessions() throws Exception {
        String waiting = "{\"amount\":1,\"how\":\"wait\"}";
        var gate = Till.GATES.computeIfAbsent("others", any -> new CountDownLatch(1));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> others = new ArrayList<>();
            for (int i = 0; i < OTHER_SESSIONS; i++) {
                others.add(threads.submit(
                        till.sending(booking("others", waiting).setHeader("Idempotency-Key", "other-" + i))));
            }
            Awaitility.await().atMost(DEADLINE).until(() -> till.keys() == 1 + OTHER_SESSIONS);
            gate.countDown();
            for (Future<HttpResponse<String>> other : others) {
                assertThat(other.get().statusCode()).isEqualTo(202);
            }
        }
    }

    private void endAllSessions() {
        server.administer("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '"
                + database.name() + "'");
    }

    private static void comeBack(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(answer.body()).contains("urn:paysaga:problem:unavailable").doesNotContain("Exception");
    }
}
