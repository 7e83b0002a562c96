package dev.paysaga.explorer;

import java.util.Comparator;

/**
 * A state of a participant meeting an event.
 *
 * @param participant who
 * @param state in which state, by its label
 * @param event hears which type of event
 */
public record Cell(String participant, String state, String event) implements Comparable<Cell> {

    private static final Comparator<Cell> ORDER =
            Comparator.comparing(Cell::participant).thenComparing(Cell::state).thenComparing(Cell::event);

    @Override
    public int compareTo(Cell other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return participant + " " + state + " x " + event;
    }
}
