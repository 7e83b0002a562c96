package dev.paysaga.saga.parking;

import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.wire.Operations;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Says it in the words of the service's language. */
public final class LanguageAnnouncer implements ParkingAnnouncer {

    private final Operations words;

    public LanguageAnnouncer(Operations words) {
        this.words = words;
    }

    @Override
    public List<? extends SpecificRecord> announce(ParkedEvent parked, @Nullable WorkOrder order) {
        var told = words.parked(new Operations.Parked(
                parked.id(),
                parked.consumer(),
                parked.topic(),
                parked.key(),
                parked.partition(),
                parked.offset(),
                parked.reason()));
        return order == null
                ? told.stream().toList()
                : Stream.concat(told.stream(), words.opened(order.question()).stream())
                        .toList();
    }

    @Override
    public List<? extends SpecificRecord> closed(WorkOrder order, Resolution how) {
        return words.resolved(order.answeredBy(how)).stream().toList();
    }
}
