package dev.paysaga.explorer;

import java.util.List;

/**
 * What one decision led to.
 *
 * @param local the participant's new state of this saga; a value ({@code equals} and {@code hashCode} by content)
 * @param shared the participant's new state of whatever its sagas share, such as shelves; a value too
 * @param events what it announces, in order; values
 */
public record Step(Object local, Object shared, List<?> events) {

    public Step {
        events = List.copyOf(events);
    }

    public static Step of(Object local, Object shared, Object... events) {
        return new Step(local, shared, List.of(events));
    }
}
