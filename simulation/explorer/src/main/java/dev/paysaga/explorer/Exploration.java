package dev.paysaga.explorer;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an exploration found.
 *
 * @param states how many distinct worlds were reached
 * @param moves how many moves were tried
 * @param depth the longest shortest trace
 * @param rests how many worlds were at rest
 * @param seconds how long it took
 * @param exhausted whether every world was seen; false if it was cut short or found a violation
 * @param violation the first violation, on a shortest trace; null if there is none
 * @param cells every state that met an event, such as {@code inventory RESERVED x OrderCanceled}, or a command about one
 *     saga, with all that came of it in words: an empty text where nothing came of it, no text where it could not happen
 * @param statesEntered every state of every participant that was entered, such as {@code order PAID}
 * @param eventsAnnounced the types of all events that were announced
 */
public record Exploration(
        long states,
        long moves,
        int depth,
        long rests,
        double seconds,
        boolean exhausted,
        @Nullable Violation violation,
        Map<Cell, Set<String>> cells,
        Set<String> statesEntered,
        Set<String> eventsAnnounced) {

    /** One line: how much was seen, how fast, and how it ended. */
    public String summary() {
        String ending;
        if (violation != null) {
            ending = "VIOLATED: " + violation.invariant() + " after "
                    + violation.trace().size() + " moves";
        } else {
            ending = exhausted ? "exhausted, nothing violated" : "cut short, nothing violated so far";
        }
        return String.format(
                "%,d states, %,d moves, depth %d, %,d at rest, %.1f s (%,.0f states/s): %s",
                states, moves, depth, rests, seconds, states / Math.max(seconds, 0.001), ending);
    }
}
