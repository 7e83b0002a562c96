package dev.paysaga.stack.chaos;

import dev.paysaga.stack.client.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All that clients were told, and what they asked without being told anything. Safe for use by many threads. */
final class Promises {

    private final Queue<Promise> given = new ConcurrentLinkedQueue<>();
    private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
    private final Queue<Answer> surprises = new ConcurrentLinkedQueue<>();

    void add(Promise promise) {
        given.add(promise);
    }

    /** Nobody knows what became of this business key: there may be an order, or none. */
    void unanswered(String key) {
        unanswered.add(key);
    }

    /** An answer that should not have come, such as a 400 for a valid order. */
    void surprised(Answer answer) {
        surprises.add(answer);
    }

    List<Promise> given() {
        return new ArrayList<>(given);
    }

    Set<String> unanswered() {
        return Set.copyOf(unanswered);
    }

    /** Answers that should not have come. */
    List<Answer> surprises() {
        return List.copyOf(surprises);
    }
}
