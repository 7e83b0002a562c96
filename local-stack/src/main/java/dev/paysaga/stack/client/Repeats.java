package dev.paysaga.stack.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Why requests had to be sent again before they were answered. Safe for use by many threads. */
public final class Repeats {

    /** Nobody was there. */
    public static final String REFUSED = "connection refused";

    /** Somebody was there and went away without an answer. */
    public static final String BROKEN = "connection broken";

    /** Nothing came in time. */
    public static final String SILENCE = "silence";

    private final Map<String, Long> reasons = new ConcurrentHashMap<>();
    private final AtomicLong longest = new AtomicLong();

    void add(IOException noAnswer) {
        add(
                switch (noAnswer) {
                    case ConnectException refused -> REFUSED;
                    case HttpTimeoutException late -> SILENCE;
                    default -> BROKEN;
                });
    }

    void add(String reason) {
        reasons.merge(reason, 1L, Long::sum);
    }

    void answered(Duration after) {
        longest.accumulateAndGet(after.toNanos(), Math::max);
    }

    /**
     * Attempts that were not the last, by what came of them: {@link #REFUSED} and its like, or a status and the problem's name,
     * such as {@code 409 request-in-progress}.
     */
    public Map<String, Long> reasons() {
        return new TreeMap<>(reasons);
    }

    /** From the first attempt of a request to its answer. */
    public Duration longest() {
        return Duration.ofNanos(longest.get());
    }
}
