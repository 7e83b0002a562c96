package dev.paysaga.explorer;

import org.jspecify.annotations.Nullable;

/**
 * Something that happens to a participant without an event: a client's request, a time-out, a person's decision.
 *
 * @param name what a trace calls it
 * @param participant whom it happens to
 * @param times how often it may happen: for each saga if it is about one, otherwise altogether
 * @param scope whether it is about one saga, or about what all sagas share
 * @param origin whether the system does it by itself sooner or later (a saga at rest is one in which nothing of that
 *     kind is left), or only somebody outside; perhaps only to mend a saga of which an event was skipped
 * @param decision the decision
 */
public record Command(String name, String participant, int times, Scope scope, Origin origin, Decision decision) {

    public enum Scope {
        ONE_SAGA,
        SHARED
    }

    public enum Origin {
        SYSTEM,
        OUTSIDE,
        AFTER_A_SKIP
    }

    /**
     * What it does; null where it cannot happen. An exception is a violation. For {@link Scope#SHARED} the local state
     * is null, and whatever the step says about it is passed over. */
    public interface Decision {

        @Nullable
        Step apply(@Nullable Object local, Object shared);
    }
}
