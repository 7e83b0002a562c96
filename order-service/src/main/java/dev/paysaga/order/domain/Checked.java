package dev.paysaga.order.domain;

import java.util.List;

/**
 * What a check of somebody's request came to.
 *
 * @param <T> what a valid request is from then on
 */
public sealed interface Checked<T> {

    /** It makes sense. */
    record Valid<T>(T value) implements Checked<T> {}

    /**
     * It does not.
     *
     * @param faults all that is wrong with it, by field; at least one
     */
    record Invalid<T>(List<Fault> faults) implements Checked<T> {

        public Invalid {
            if (faults.isEmpty()) {
                throw new IllegalArgumentException("an invalid request has at least one fault");
            }
            faults = List.copyOf(faults);
        }
    }
}
