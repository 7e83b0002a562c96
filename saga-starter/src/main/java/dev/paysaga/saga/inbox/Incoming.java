package dev.paysaga.saga.inbox;

import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkedEvent.Status;
import dev.paysaga.saga.parking.Queue;
import dev.paysaga.wire.CloudEventHeaders;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through the reactor.
 *
 * @param id what the inbox knows it by
 * @param parkedId what it is called if it is parked
 * @param headers all of them, gathered only for an event that is parked
 * @param body the event; null if it cannot be read
 * @param unreadable why it cannot be read; null if it can
 */
record Incoming(
        UUID id,
        UUID parkedId,
        String topic,
        int partition,
        long offset,
        String key,
        Supplier<Map<String, String>> headers,
        byte @Nullable [] payload,
        @Nullable SpecificRecord body,
        @Nullable String unreadable,
        @Nullable String traceparent) {

    boolean hasKey() {
        return !key.isEmpty();
    }

    Queue queue() {
        return new Queue(topic, key);
    }

    ReceivedEvent received() {
        if (body == null) {
            throw new IllegalStateException("an event that cannot be read reached a reaction: " + place());
        }
        return new ReceivedEvent(id, body, topic, key, traceparent);
    }

    String place() {
        return topic + "/" + partition + "@" + offset;
    }

    ParkedEvent parked(String consumer, String reason, Status status) {
        Map<String, String> all = headers.get();
        return new ParkedEvent(
                parkedId,
                consumer,
                topic,
                partition,
                offset,
                key,
                id,
                body == null
                        ? all.get(CloudEventHeaders.TYPE)
                        : body.getSchema().getFullName(),
                payload,
                all,
                PlainText.of(reason),
                status,
                null,
                null);
    }
}
