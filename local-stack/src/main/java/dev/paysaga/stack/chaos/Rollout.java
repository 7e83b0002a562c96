package dev.paysaga.stack.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a rolling restart under load went.
 *
 * @param result the verdict on the books and on what clients were promised
 * @param restarts in their order
 * @param repeats why clients had to ask again, and how often
 * @param longestAnswer the longest that a client waited for an answer, from its first attempt on
 */
public record Rollout(
        Result result, List<GracefulRestart> restarts, Map<String, Long> repeats, Duration longestAnswer) {

    public Rollout {
        restarts = List.copyOf(restarts);
        repeats = Map.copyOf(repeats);
    }
}
