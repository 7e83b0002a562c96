package dev.paysaga.stack.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The four services over HTTP. Safe for use by many threads. */
public final class Services {

    /** Longer than any process takes to be killed and started again. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final Duration ONE_ATTEMPT = Duration.ofSeconds(15);

    /** The first wait before another attempt; each further one is twice as long, up to the longest. */
    private static final long SHORTEST_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final PaymentSystem system;
    private final Map<String, Integer> replicas;
    private final AtomicLong turn = new AtomicLong();
    private final Repeats repeats = new Repeats();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    public Services(PaymentSystem system) {
        this(system, Map.of());
    }

    /**
     * Requests go to the replicas of a service in turn, as a simple load balancer sends them: whether they can serve or not.
     *
     * @param replicas how many of a service, by its name; one of those that are not named
     */
    public Services(PaymentSystem system, Map<String, Integer> replicas) {
        this.system = system;
        this.replicas = Map.copyOf(replicas);
    }

    /** What had to be asked again, and why. */
    public Repeats repeats() {
        return repeats;
    }

    /** A merchant's view of the services; the merchant need not exist yet. */
    public Merchant merchant(String merchantId) {
        return new Merchant(this, merchantId, token(merchantId, Merchant.SCOPES));
    }

    /** A token of the local stack. */
    public String token(@Nullable String merchantId, List<String> scopes) {
        return system.secrets().token(merchantId == null ? "operator" : merchantId, merchantId, scopes);
    }

    /** Base address of the replica whose turn it is. */
    private URI next(String service) {
        long number = 1 + turn.getAndIncrement() % replicas.getOrDefault(service, 1);
        return address(number == 1 ? service : service + "#" + number);
    }

    /** Base address of a service, such as {@code order}, or of one of its replicas, such as {@code order#2}. */
    public URI address(String service) {
        Ports.Port port = system.ports().of(service);
        return URI.create("http://127.0.0.1:" + port.number());
    }

    /**
     * One attempt, whatever comes of it.
     *
     * @param body JSON text; null sends none
     * @param key the Idempotency-Key; null sends none
     * @throws IOException when no answer came
     */
    public Answer attempt(
            String service, String method, String path, @Nullable String body, String token, @Nullable String key)
            throws IOException {
        return attempt(service, method, path, body, token, key, Map.of());
    }

    private Answer attempt(
            String service,
            String method,
            String path,
            @Nullable String body,
            String token,
            @Nullable String key,
            Map<String, String> further)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(next(service).resolve(path))
                .timeout(ONE_ATTEMPT)
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        further.forEach(request::header);
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            var headers = new TreeMap<String, List<String>>();
            response.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(java.util.Locale.ROOT), values));
            return new Answer(response.statusCode(), headers, json(response.body()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * A POST that is sent again, with the same key, until there is an answer that will not change: neither silence nor a
     * 5xx, nor "still in progress", nor "too many".
     *
     * @throws IllegalStateException when there is none in time
     */
    public Answer post(String service, String path, String body, String token) {
        return post(service, path, body, token, UUID.randomUUID().toString());
    }

    /** As {@link #post}, with a key of one's own. */
    public Answer post(String service, String path, String body, String token, String key) {
        return post(service, path, body, token, key, Map.of());
    }

    /** As {@link #post}, with a key and further headers of one's own. */
    public Answer post(
            String service, String path, String body, String token, String key, Map<String, String> headers) {
        return untilAnswered(service, "POST", path, body, token, key, headers);
    }

    /** A GET that is sent again until there is an answer. */
    public Answer get(String service, String path, String token) {
        return untilAnswered(service, "GET", path, null, token, null, Map.of());
    }

    private Answer untilAnswered(
            String service,
            String method,
            String path,
            @Nullable String body,
            String token,
            @Nullable String key,
            Map<String, String> headers) {
        long begin = System.nanoTime();
        long deadline = begin + PATIENCE.toNanos();
        String last = "";
        long wait = SHORTEST_WAIT;
        while (System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
            try {
                Answer answer = attempt(service, method, path, body, token, key, headers);
                if (!worthAnotherAttempt(answer)) {
                    repeats.answered(Duration.ofNanos(System.nanoTime() - begin));
                    return answer;
                }
                repeats.add((answer.status() + " " + answer.problem()).strip());
                last = answer.toString();
            } catch (IOException e) {
                repeats.add(e);
                last = e.toString();
            }
            // By chance a little longer or shorter, so that those who were turned away together do not come back
            // together.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(wait / 2, wait));
            wait = Math.min(2 * wait, LONGEST_WAIT);
        }
        throw new IllegalStateException(method + " " + path + " of " + service + " had no answer within "
                + PATIENCE.toSeconds() + " s; the last attempt: " + last);
    }

    private static boolean worthAnotherAttempt(Answer answer) {
        return answer.status() >= 500
                || answer.status() == 429
                || answer.status() == 409 && answer.problem().equals("request-in-progress");
    }

    private static JsonNode json(String text) {
        try {
            return text.isBlank() ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (IOException e) {
            return JSON.getNodeFactory().textNode(text);
        }
    }

    /** JSON text of an object with these members, in order: texts, numbers, lists and maps. */
    public static String json(Map<String, ?> members) {
        try {
            return JSON.writeValueAsString(members);
        } catch (IOException e) {
            throw new IllegalArgumentException("not representable as JSON: " + members, e);
        }
    }
}
