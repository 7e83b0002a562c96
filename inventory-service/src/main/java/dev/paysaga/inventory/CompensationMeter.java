package dev.paysaga.inventory;

import dev.paysaga.inventory.domain.Reservation.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts inventory's compensations: {@code paysaga_compensations_total}. They cannot be refused, hence never wait. */
@Component
final class CompensationMeter {

    private final Counter released;
    private final Counter restocked;

    CompensationMeter(MeterRegistry meters) {
        this.released = counter(meters, "release");
        this.restocked = counter(meters, "restock");
    }

    void count(LockedStock stock) {
        released.increment(stock.changedReservations().stream()
                .filter(change -> change.after().status() == Status.RELEASED)
                .count());
        restocked.increment(stock.newRestocks().size());
    }

    private static Counter counter(MeterRegistry meters, String step) {
        return Counter.builder("paysaga.compensations")
                .description("Compensations, by step and by what came of them")
                .tags("step", step, "outcome", "done")
                .register(meters);
    }
}
