package dev.paysaga.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.PostgresDatabase;
import dev.paysaga.testkit.PostgresServer;
import dev.paysaga.testkit.TestTokens;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What the Idempotency-Key layer costs: {@code POST /v1/orders} at a replica with it and at one without, on one database,
 * in turns; then the same beside ten million stored keys. Not part of the build. To run it on a quiet machine:
 *
 * <pre>
 * mvn -Dquick -Dmaven.test.skip=false -Dtest=none -Dit.test=IdempotencyBenchmark -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false -pl order-service -am verify
 * </pre>
 */
final class IdempotencyBenchmark {

    private static final Logger log = LoggerFactory.getLogger(IdempotencyBenchmark.class);

    private static final int CLIENTS = Integer.getInteger("bench.clients", 4);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 10);
    private static final int POSTS_A_ROUND = Integer.getInteger("bench.posts", 500);
    private static final long STORED_KEYS = Long.getLong("bench.keys", 10_000_000);

    private final String token = TestTokens.token("bench", "orders:write");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** One request; its key is what it is sent again with. */
    private record Post(String key, String body) {

        static Post fresh() {
            return new Post(UUID.randomUUID().toString(), """
                    {"outTradeNo": "%s", "payerAccountId": "w", "currency": "EUR",
                     "lines": [{"sku": "tea", "quantity": 2, "unitPrice": 300}, {"sku": "cup", "quantity": 1, "unitPrice": 900}]}""".formatted(UUID.randomUUID()));
        }
    }

    /** Latencies in nanoseconds, sorted, and how long it took to collect them. */
    private record Sample(long[] nanos, double seconds) {

        double perSecond() {
            return nanos.length / seconds;
        }

        double percentile(double percent) {
            return nanos[(int) Math.min(nanos.length - 1, Math.ceil(nanos.length * percent / 100) - 1)] / 1e6;
        }

        Sample and(Sample other) {
            return new Sample(
                    LongStream.concat(Arrays.stream(nanos), Arrays.stream(other.nanos))
                            .sorted()
                            .toArray(),
                    seconds + other.seconds);
        }

        @Override
        public String toString() {
            return String.format(
                    "p50 %.2f ms, p99 %.2f ms, %,.0f/s (%,d)",
                    percentile(50), percentile(99), perSecond(), nanos.length);
        }
    }

    private record Figures(Sample with, Sample without, Sample replayed, double commitsWith, double commitsWithout) {

        double p99Ratio() {
            return with.percentile(99) / without.percentile(99);
        }

        double replayRatio() {
            return replayed.perSecond() / with.perSecond();
        }

        void print(String title) {
            log.info("{}", title);
            log.info("  with the layer     {}", with);
            log.info("  without            {}", without);
            log.info("  replayed           {}", replayed);
            log.info(
                    "  {}",
                    String.format(
                            "commits a POST     %.3f with, %.3f without: %.3f more",
                            commitsWith, commitsWithout, commitsWith - commitsWithout));
            log.info(
                    "  {}",
                    String.format(
                            "p99 with/without   %.2f; p50 %.2f",
                            p99Ratio(), with.percentile(50) / without.percentile(50)));
            log.info("  {}", String.format("replay/processing  %.1f times as fast", replayRatio()));
        }
    }

    @Test
    void oneCommitAQuarterAtThe99thPercentileAndReplaysThreeTimesAsFast() throws Exception {
        try (PostgresServer server =
                PostgresServer.start(Map.of("fsync", "on", "shared_buffers", "512MB", "max_wal_size", "4GB"))) {
            PostgresDatabase database = server.createDatabase("order");
            JdbcClient jdbc = JdbcClient.create(database.dataSource());
            try (OrderProcess with = replica(database, true);
                    OrderProcess without = replica(database, false)) {
                Figures empty = measure(with.address(), without.address(), jdbc);
                empty.print("with few stored keys");
                log.info("storing {} keys", STORED_KEYS);
                store(jdbc);
                server.administer("checkpoint");
                log.info("on disk: {}", jdbc.sql("""
                                select pg_size_pretty(pg_table_size('idempotency_keys')) || ' table, '
                                    || pg_size_pretty(pg_indexes_size('idempotency_keys')) || ' indexes, '
                                    || count(*) || ' keys' from idempotency_keys""").query(String.class).single());
                Figures full = measure(with.address(), without.address(), jdbc);
                full.print("beside " + STORED_KEYS + " stored keys");

                for (Figures figures : List.of(empty, full)) {
                    assertThat(figures.commitsWith() - figures.commitsWithout()).isLessThan(1.05);
                    assertThat(figures.p99Ratio()).isLessThan(1.25);
                    assertThat(figures.replayRatio()).isGreaterThan(3);
                }
                assertThat(full.p99Ratio()).isLessThan(empty.p99Ratio() * 1.1);
                assertThat(full.replayed().perSecond())
                        .isGreaterThan(empty.replayed().perSecond() * 0.9);
            }
        }
    }

    private static OrderProcess replica(PostgresDatabase database, boolean withLayer) throws Exception {
        return OrderProcess.start(
                database, "--saga.idempotency.enabled=" + withLayer, "--saga.web.requests-per-second=0");
    }

    private Figures measure(URI with, URI without, JdbcClient jdbc) throws Exception {
        send(with, fresh(3000));
        send(without, fresh(3000));
        Sample processedWith = new Sample(new long[0], 0);
        Sample processedWithout = new Sample(new long[0], 0);
        Sample replayed = new Sample(new long[0], 0);
        for (int round = 0; round < ROUNDS; round++) {
            List<Post> posts = fresh(POSTS_A_ROUND);
            processedWith = processedWith.and(send(with, posts));
            processedWithout = processedWithout.and(send(without, fresh(POSTS_A_ROUND)));
            replayed = replayed.and(send(with, posts));
        }
        double commitsWith = commits(jdbc, with);
        double commitsWithout = commits(jdbc, without);
        return new Figures(processedWith, processedWithout, replayed, commitsWith, commitsWithout);
    }

    /** Commits that a POST takes, as the server counts them; its statistics come late, so they are waited for. */
    private double commits(JdbcClient jdbc, URI service) throws Exception {
        long before = settled(jdbc);
        send(service, fresh(1000));
        return (settled(jdbc) - before) / 1000.0;
    }

    private static long settled(JdbcClient jdbc) {
        long[] last = {-1};
        // Asking costs a commit, too; a few in a thousand.
        Awaitility.await()
                .pollDelay(java.time.Duration.ofSeconds(12))
                .atMost(java.time.Duration.ofMinutes(1))
                .until(() -> {
                    long now = jdbc.sql("select xact_commit from pg_stat_database where datname = current_database()")
                            .query(Long.class)
                            .single();
                    last[0] = now;
                    return true;
                });
        return last[0];
    }

    private static List<Post> fresh(int count) {
        List<Post> posts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            posts.add(Post.fresh());
        }
        return posts;
    }

    private Sample send(URI service, List<Post> posts) throws Exception {
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Callable<long[]>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                clients.add(() -> {
                    List<Long> nanos = new ArrayList<>();
                    for (int i = first; i < posts.size(); i += CLIENTS) {
                        nanos.add(send(service, posts.get(i)));
                    }
                    return nanos.stream().mapToLong(Long::longValue).toArray();
                });
            }
            LongStream all = LongStream.empty();
            for (Future<long[]> nanos : threads.invokeAll(clients)) {
                all = LongStream.concat(all, Arrays.stream(nanos.get()));
            }
            return new Sample(all.sorted().toArray(), (System.nanoTime() - start) / 1e9);
        }
    }

    private long send(URI service, Post post) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(service.resolve("/v1/orders"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", post.key())
                .POST(HttpRequest.BodyPublishers.ofString(post.body()))
                .build();
        long start = System.nanoTime();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        long nanos = System.nanoTime() - start;
        if (answer.statusCode() != 202) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        return nanos;
    }

    /** Finished keys as real ones are, of the last hours, as densely as the pages of a used table are filled. */
    private static void store(JdbcClient jdbc) {
        jdbc.sql("alter table idempotency_keys set (fillfactor = 100)").update();
        for (long stored = 0; stored < STORED_KEYS; stored += 500_000) {
            jdbc.sql("""
                            insert into idempotency_keys
                                (scope, key, fingerprint, token, claimed_at, leased_until, finished_at, status, headers, body)
                            select 'merchant/m-' || i % 1000, gen_random_uuid()::text, sha256(i::text::bytea), gen_random_uuid(),
                                   now(), null, now(), 202, real.headers, real.body
                            from generate_series(1, least(500000, ?)) i,
                                 (select headers, body from idempotency_keys where status = 202 limit 1) real""").param(STORED_KEYS - stored).update();
        }
        jdbc.sql("alter table idempotency_keys set (fillfactor = 20)").update();
        jdbc.sql("vacuum analyze idempotency_keys").update();
    }
}
