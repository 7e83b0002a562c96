package dev.paysaga.stack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A merchant with wallets and full shelves, and orders against them. */
final class Load {

    private static final int WALLETS = 100;
    private static final int PRODUCTS = 20;
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Target target;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final String merchant =
            "bench-" + Long.toString(System.currentTimeMillis(), 36) + "-" + COUNT.incrementAndGet();
    private final String token;

    /** When each order's POST was due, in nanoseconds since the epoch, by order id. */
    final Map<String, Long> postedAt = new ConcurrentHashMap<>();

    final AtomicInteger refused = new AtomicInteger();

    Load(Target target) {
        this.target = target;
        token = target.tokens()
                .token(merchant, "orders:write", "orders:read", "stock:write", "accounts:write", "accounts:read");
    }

    /** Wall clock with the resolution of the monotonic one, so that times of two threads compare. */
    static long now() {
        return START_EPOCH + (System.nanoTime() - START_NANOS);
    }

    private static final long START_NANOS = System.nanoTime();
    private static final long START_EPOCH = epochNanos(Instant.now());

    static long epochNanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    void prepare() {
        post(target.account(), "/v1/accounts", "{\"accountId\":\"shop\",\"kind\":\"MERCHANT\",\"currency\":\"EUR\"}");
        for (int wallet = 0; wallet < WALLETS; wallet++) {
            String id = "payer-" + wallet;
            post(
                    target.account(),
                    "/v1/accounts",
                    "{\"accountId\":\"" + id + "\",\"kind\":\"WALLET\",\"currency\":\"EUR\"}");
            post(
                    target.account(),
                    "/v1/accounts/" + id + "/deposits",
                    "{\"depositNo\":\"d-" + id + "\",\"amount\":1000000000}");
        }
        for (int product = 0; product < PRODUCTS; product++) {
            post(
                    target.inventory(),
                    "/v1/stock/sku-" + product + "/receipts",
                    "{\"receiptNo\":\"r-" + product + "\",\"quantity\":100000000}");
        }
    }

    /** Posts at a fixed rate; an order that had to wait for its turn is measured from when it was due. */
    void atRate(int perSecond, Duration duration) {
        long gap = 1_000_000_000L / perSecond;
        long orders = perSecond * duration.toSeconds();
        long start = now();
        try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            for (long i = 0; i < orders; i++) {
                long due = start + i * gap;
                long wait = due - now();
                while (wait > 0) {
                    LockSupport.parkNanos(wait);
                    wait = due - now();
                }
                threads.submit(() -> order(due));
            }
        }
    }

    /** Posts as fast as {@code clients} at once can. */
    void atFullSpeed(int orders, int clients) {
        inTurn(Collections.nCopies(orders, () -> order(now())), clients);
    }

    /** Asks for some money back, so many times for each order that was accepted. */
    void refund(int times, int clients) {
        var requests = new ArrayList<Runnable>();
        for (int number = 0; number < times; number++) {
            String body = "{\"refundNo\":\"r-" + number + "\",\"amount\":1}";
            postedAt.keySet()
                    .forEach(id -> requests.add(() -> post(target.order(), "/v1/orders/" + id + "/refunds", body)));
        }
        inTurn(requests, clients);
    }

    private static void inTurn(List<Runnable> requests, int clients) {
        var free = new Semaphore(clients);
        try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            for (Runnable request : requests) {
                free.acquireUninterruptibly();
                threads.submit(() -> {
                    try {
                        request.run();
                    } finally {
                        free.release();
                    }
                });
            }
        }
    }

    private void order(long due) {
        var random = ThreadLocalRandom.current();
        String body =
                "{\"outTradeNo\":\"" + UUID.randomUUID() + "\",\"payerAccountId\":\"payer-" + random.nextInt(WALLETS)
                        + "\",\"currency\":\"EUR\",\"lines\":[{\"sku\":\"sku-" + random.nextInt(PRODUCTS)
                        + "\",\"quantity\":1,\"unitPrice\":1999},{\"sku\":\"sku-" + random.nextInt(PRODUCTS)
                        + "\",\"quantity\":2,\"unitPrice\":1999}]}";
        HttpResponse<String> answer = send(target.order(), "/v1/orders", body);
        if (answer.statusCode() == 202) {
            postedAt.put(read(answer.body()).get("orderId").asText(), due);
        } else {
            refused.incrementAndGet();
        }
    }

    private void post(URI base, String path, String body) {
        HttpResponse<String> answer = send(base, path, body);
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException("POST " + path + " answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    private HttpResponse<String> send(URI base, String path, String body) {
        var request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException("POST " + path + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
