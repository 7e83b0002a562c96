package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.account.domain.Payment;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.order.domain.OrderStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** What is never reached proves nothing: it fails here. */
class CoverageTest {

    /** Announced outside the reactions: by clients, by people, by the entrance, by the watch and by parking. */
    private static final Set<String> NOT_BY_REACTIONS =
            Set.of("OrderRequested", "OrderRejected", "ResolveWorkOrder", "SagaStuck", "EventParked");

    private static final List<Exploration> EXPLORED = ChoreographyDocument.WORLDS.stream()
            .map(world -> Explorer.exhaust(world.choreography(), 10_000_000))
            .toList();

    @Test
    void every_event_is_announced() {
        var announced = new TreeSet<String>();
        EXPLORED.forEach(found -> announced.addAll(found.eventsAnnounced()));
        var all = new TreeSet<String>();
        PaymentSaga.topics()
                .forEach(topic -> new PaymentSaga()
                        .schemasOf(topic).stream().map(Schema::getName).forEach(all::add));
        all.removeAll(NOT_BY_REACTIONS);
        assertThat(announced).containsExactlyElementsOf(all);
    }

    @Test
    void every_state_is_entered() {
        var entered = new TreeSet<String>();
        EXPLORED.forEach(found -> entered.addAll(found.statesEntered()));
        var all = new TreeSet<String>();
        Arrays.stream(OrderStatus.values()).forEach(status -> all.add("order " + status));
        Arrays.stream(Reservation.Status.values()).forEach(status -> all.add("inventory " + status));
        Arrays.stream(Payment.Status.values()).forEach(status -> all.add("account " + status));
        all.addAll(Set.of("notification SILENT", "notification TOLD"));
        assertThat(entered).containsExactlyElementsOf(all);
    }
}
