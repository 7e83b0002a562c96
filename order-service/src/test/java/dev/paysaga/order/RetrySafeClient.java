package dev.paysaga.order;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Sends a POST until it is known what became of it. Nothing but the JDK. */
final class RetrySafeClient {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** The server, or something between, says: not now. */
    private static final Set<Integer> NOT_NOW = Set.of(429, 500, 502, 503, 504);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Supplier<URI> address;
    private final Supplier<String> token;

    /**
     * @param address of the service; asked before each attempt, as is the token, which may have expired meanwhile
     */
    RetrySafeClient(Supplier<URI> address, Supplier<String> token) {
        this.address = address;
        this.token = token;
    }

    /**
     * Posts.
     *
     * @param key names the intention: store it with the order before the first attempt, and use it again even after your
     *     own crash
     * @return the answer that will stay the same; 4xx included: a refusal is an answer too
     * @throws IOException if there is none after so much patience. Then nothing is known: ask again with the same key
     */
    HttpResponse<String> post(String path, String key, String json, Duration patience)
            throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(patience);
        for (int attempt = 0; ; attempt++) {
            Duration pause;
            try {
                HttpResponse<String> answer = http.send(request(path, key, json), BodyHandlers.ofString());
                if (!isToBeAskedAgain(answer)) {
                    return answer;
                }
                pause = longer(retryAfter(answer), jittered(attempt));
            } catch (IOException lost) { // refused, broken off, timed out: perhaps it was done, perhaps not
                pause = jittered(attempt);
            }
            if (Instant.now().plus(pause).isAfter(deadline)) {
                throw new IOException("POST " + path + " is undecided after " + patience);
            }
            Thread.sleep(pause);
        }
    }

    private HttpRequest request(String path, String key, String json) {
        return HttpRequest.newBuilder(address.get().resolve(path))
                .timeout(Duration.ofSeconds(40)) // longer than the server ever works on one request
                .header("Authorization", "Bearer " + token.get())
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(json))
                .build();
    }

    private static boolean isToBeAskedAgain(HttpResponse<String> answer) {
        return NOT_NOW.contains(answer.statusCode())
                || answer.statusCode() == 409 && answer.body().contains("urn:paysaga:problem:request-in-progress");
    }

    private static Duration retryAfter(HttpResponse<?> answer) {
        return Duration.ofSeconds(
                answer.headers().firstValueAsLong("Retry-After").orElse(0));
    }

    /** "Full jitter": anywhere up to a limit that doubles, so that a thousand clients do not come back at once. */
    private static Duration jittered(int attempt) {
        long limit = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(attempt, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(limit + 1));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
