package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.account.domain.Payment;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.explorer.Cell;
import dev.paysaga.explorer.Step;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.order.domain.OrderStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is never reached proves nothing: it fails here. */
class CoverageTest {

    /** Announced outside the reactions: by people, by the watch and by parking. */
    private static final Set<String> NOT_BY_REACTIONS =
            Set.of("ResolveWorkOrder", "PostToSuspense", "SagaStuck", "EventParked");

    private static final PaymentWorld ONE = PaymentWorld.ofOneOrder();

    @Test
    void every_event_is_announced() {
        var all = new TreeSet<String>();
        PaymentSaga.topics()
                .forEach(topic -> new PaymentSaga()
                        .schemasOf(topic).stream().map(Schema::getName).forEach(all::add));
        all.removeAll(NOT_BY_REACTIONS);
        assertThat(Coverage.ofAll().events()).containsExactlyElementsOf(all);
    }

    @Test
    void every_state_is_entered() {
        var all = new TreeSet<String>();
        Arrays.stream(OrderStatus.values()).forEach(status -> all.add("order " + status));
        Arrays.stream(Reservation.Status.values()).forEach(status -> all.add("inventory " + status));
        Arrays.stream(Payment.Status.values()).forEach(status -> all.add("account " + status));
        all.addAll(Set.of("notification SILENT", "notification TOLD", "client CLIENT"));
        assertThat(Coverage.ofAll().states()).containsExactlyElementsOf(all);
    }

    @Test
    void every_cell_is_exercised_or_known_to_be_out_of_reach() {
        assertThat(Cells.gaps(Coverage.ofAll())).isEmpty();
    }

    @Test
    void what_is_said_to_be_out_of_reach_is_a_cell_and_is_not_reached() {
        assertThat(Cells.all()).containsAll(Cells.unreachable().keySet());
        assertThat(Cells.unreachable().keySet())
                .doesNotContainAnyElementsOf(Coverage.ofAll().cells().keySet());
    }

    @Test
    @Tag("nightly")
    void larger_worlds_reach_no_other_cells() {
        Coverage larger = Coverage.of(List.of(
                ONE.canceled().refunds(2).restocked().blocked().redelivered(2).choreography(),
                ONE.canceled()
                        .refunds(1)
                        .restocked()
                        .blocked()
                        .merchantBlocked()
                        .redelivered(2)
                        .choreography(),
                ONE.wallet(0).canceled().redelivered(2).parked(2).choreography()));
        assertThat(Coverage.ofAll().cells().keySet()).containsAll(larger.cells().keySet());
    }

    @Test
    void a_reaction_that_nothing_leads_to_any_more_is_named() {
        Mutant neverShort = Mutant.without(
                "a short shelf rejects",
                ONE.units(0).canceled().redelivered(1),
                InventoryRole.NAME,
                (event, local, shared, real) -> event instanceof OrderPlaced ? Step.of(local, shared) : null);
        var worlds = Coverage.WORLDS.stream()
                .map(world -> world.units() == 0 ? neverShort.choreography() : world.choreography())
                .toList();

        assertThat(Cells.gaps(Coverage.of(worlds)))
                .contains(
                        new Cell("order", "CREATED", "StockRejected"),
                        new Cell("inventory", "REJECTED", "OrderCanceled"));
    }
}
