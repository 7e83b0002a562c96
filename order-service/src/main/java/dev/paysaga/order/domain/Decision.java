package dev.paysaga.order.domain;

import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * What to store and what to announce. Nothing has happened yet.
 *
 * @param order the order from now on
 * @param events what to announce, in order
 */
public record Decision(Order order, List<SpecificRecord> events) {

    public Decision {
        events = List.copyOf(events);
    }

    static Decision of(Order order, SpecificRecord event) {
        return new Decision(order, List.of(event));
    }

    static Decision silently(Order order) {
        return new Decision(order, List.of());
    }
}
