package dev.paysaga.simulation.history;

import dev.paysaga.simulation.history.History.Published;
import java.util.List;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One service's reactions, asked what may have followed.
 *
 * @param <S> its state of one order
 */
interface Model<S> {

    /** Its name, as in {@code ce_source} and in event ids. */
    String service();

    /** Whether it has a reaction to this event. */
    boolean hears(Published event);

    S start(UUID orderId);

    /** The state's code and version, as they are logged. */
    Mark mark(S state);

    /**
     * Everything that may have followed. What other orders did to accounts and shelves in between is not known, so there may
     * be several; none if it cannot follow at all.
     *
     * @param cause the id of what was heard or asked for
     * @param heard the event of that id; null if there is none
     * @param said what the service announced because of it: it shows what was asked for
     */
    List<Outcome<S>> outcomes(S state, UUID cause, @Nullable Published heard, List<Published> said);

    /** A state as it is logged; a person reads the name. */
    record Mark(int code, int version, String name) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** What may have followed. */
    record Outcome<S>(S state, List<SpecificRecord> events) {}
}
