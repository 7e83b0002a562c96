package dev.paysaga.saga.outbox;

import java.util.List;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What one cause led to.
 *
 * @param cause the event or aggregate that led to these events; their ids derive from it
 * @param events what is announced, in order
 * @param traceparent W3C trace context of the cause; null if it had none
 */
public record Announcement(
        UUID cause,
        List<? extends SpecificRecord> events,
        @Nullable String traceparent) {

    public Announcement {
        events = List.copyOf(events);
    }
}
