package dev.paysaga.explorer;

import java.util.Set;

/**
 * One service of the choreography. Everything it returns depends on its arguments alone, so each distinct decision is
 * computed once and then recombined millions of times.
 */
public interface Participant {

    /** Its name in traces and in event ids. */
    String name();

    /** The topics it listens to. */
    Set<String> hears();

    /**
     * Whether it has no reaction to an event of its topics, whatever its state. Such an event is not even delivered: it
     * would only multiply the worlds.
     */
    default boolean passesBy(Object event) {
        return false;
    }

    /**
     * Whether it announces nothing and shares nothing. Then it makes no difference when it hears of something, and it
     * hears at once.
     */
    default boolean onlyListens() {
        return false;
    }

    /** Its state of a saga it has not heard of yet, or that stands at the beginning. */
    Object start(int saga);

    /** Its state that all sagas share; any constant if there is none. */
    Object shared();

    /**
     * Decides about one event.
     *
     * @throws RuntimeException if the event cannot follow the state; nothing has changed then
     */
    Step react(Object event, Object local, Object shared);

    /** A short name of the local state, for coverage and traces, such as {@code RESERVED}. */
    String label(Object local);

    /**
     * The state in which it meets this event, for coverage: where its table has rows of their own for a part of the state
     * that the event is about, the name of that part's.
     */
    default String label(Object local, Object event) {
        return label(local);
    }
}
