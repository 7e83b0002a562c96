package dev.paysaga.inventory.domain;

import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * What to store and what to announce. Nothing has happened yet.
 *
 * @param reservation the order's reservation from now on
 * @param shelves the shelves that were looked at, as they are from now on
 * @param restock what a refund puts back; empty for all other events
 * @param events what to announce, in order
 */
public record Decision(
        Reservation reservation, Shelves shelves, Optional<Restock> restock, List<SpecificRecord> events) {

    public Decision {
        events = List.copyOf(events);
    }

    static Decision of(Reservation reservation, Shelves shelves, SpecificRecord event) {
        return new Decision(reservation, shelves, Optional.empty(), List.of(event));
    }

    static Decision nothing(Reservation now, Shelves shelves) {
        return new Decision(now, shelves, Optional.empty(), List.of());
    }
}
