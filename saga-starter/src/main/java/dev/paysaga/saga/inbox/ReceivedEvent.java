package dev.paysaga.saga.inbox;

import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One event as it came from Kafka.
 *
 * @param id the event's id ({@code ce_id}); the same on every delivery
 * @param body the decoded event
 * @param topic where it came from
 * @param key the record's key: events with one key keep their order within a topic
 * @param traceparent W3C trace context, handed on to whatever the event causes; null if the producer sent none
 */
public record ReceivedEvent(
        UUID id,
        SpecificRecord body,
        String topic,
        String key,
        @Nullable String traceparent) {}
