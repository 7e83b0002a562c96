package dev.paysaga.simulation.history;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;

/**
 * What a run of the services left behind, once nothing was on its way any more.
 *
 * @param published every event of a saga's topics, each once, those of one topic and order in the order of their offsets
 * @param transitions every change of an order, a reservation or a payment, as the services logged them
 * @param setAside by service, the events that are parked, or that a person skipped: nothing is expected of them
 */
public record History(List<Published> published, List<Transition> transitions, Map<String, Set<UUID>> setAside) {

    public History {
        published = List.copyOf(published);
        transitions = List.copyOf(transitions);
        setAside = Map.copyOf(setAside);
    }

    /**
     * An event that a service announced, or a person's command.
     *
     * @param cause the id of what led to it
     * @param producer the service that announced it
     */
    public record Published(UUID id, UUID cause, String producer, String topic, UUID orderId, SpecificRecord event) {

        String type() {
            return event.getSchema().getName();
        }
    }

    /**
     * A change of state, as a service logged it.
     *
     * @param service whose
     * @param eventId what it followed from: what was heard or asked for
     * @param from the code of the state before
     * @param version of the state after
     */
    public record Transition(String service, UUID orderId, UUID eventId, int from, int to, int version) {}
}
