package dev.paysaga.saga.parking;

import dev.paysaga.saga.workorder.WorkOrder;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A service's words for a parked event: the starter itself knows no event. Those of its language, unless it has a bean. */
@FunctionalInterface
public interface ParkingAnnouncer {

    /**
     * What to announce in the transaction that parks the event.
     *
     * @param order the work order that was opened for it; null if its key names no aggregate
     */
    List<? extends SpecificRecord> announce(ParkedEvent parked, @Nullable WorkOrder order);

    /** What to announce in the transaction that closes an event's work order, because it was handled after all. */
    default List<? extends SpecificRecord> closed(WorkOrder order, WorkOrder.Resolution how) {
        return List.of();
    }
}
