package dev.paysaga.order;

import dev.paysaga.events.EventParked;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.WorkOrderOpened;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkingAnnouncer;
import dev.paysaga.saga.workorder.WorkOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Tells people that an event could not be handled. */
@Component
final class ParkedOrderEvents implements ParkingAnnouncer {

    /** For an event that does not even say whose it is. */
    private static final String UNKNOWN = "unknown";

    @Override
    public List<? extends SpecificRecord> announce(ParkedEvent parked, @Nullable WorkOrder order) {
        var events = new ArrayList<SpecificRecord>();
        events.add(new EventParked(
                parked.id(),
                parked.consumer(),
                parked.topic(),
                parked.key(),
                parked.partition(),
                parked.offset(),
                parked.reason()));
        if (order != null) {
            events.add(new WorkOrderOpened(
                    order.id(),
                    order.aggregateId(),
                    merchant(parked, order),
                    order.kind(),
                    null,
                    null,
                    order.detail()));
        }
        return events;
    }

    private static String merchant(ParkedEvent parked, WorkOrder order) {
        return Objects.requireNonNullElseGet(
                order.merchantId(), () -> parked.headers().getOrDefault(PaymentSaga.MERCHANT_HEADER, UNKNOWN));
    }
}
