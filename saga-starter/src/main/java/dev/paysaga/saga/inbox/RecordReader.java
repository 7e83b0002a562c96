package dev.paysaga.saga.inbox;

import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.RegistryUnavailable;
import dev.paysaga.wire.UndecodableEvent;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** From a Kafka record to an event with an identity. */
final class RecordReader {

    /** W3C trace context, level 1: version, trace id, parent id, flags. Anything else is not handed on. */
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private static final int UUID_LENGTH = 36;

    /** A millisecond count fits 48 bits until the year 10889; a producer's clock may say anything. */
    private static final long LATEST = 0xFFFF_FFFF_FFFFL;

    private final String consumer;
    private final ConfluentWire wire;
    private final EventCatalog catalog;
    private final Map<String, Set<String>> typesByTopic = new ConcurrentHashMap<>();

    RecordReader(String consumer, ConfluentWire wire, EventCatalog catalog) {
        this.consumer = consumer;
        this.wire = wire;
        this.catalog = catalog;
    }

    /** @throws RegistryUnavailable if only the registry could tell whether this is an event */
    Incoming read(ConsumerRecord<byte[], byte[]> received) {
        String place = received.topic() + "/" + received.partition() + "/" + received.offset();
        long time = Math.clamp(received.timestamp(), 0, LATEST);
        return read(
                EventIds.named(time, consumer + "/" + place),
                EventIds.named(time, place),
                received.topic(),
                received.partition(),
                received.offset(),
                PlainText.of(received.key()),
                header(received, CloudEventHeaders.ID),
                header(received, CloudEventHeaders.TRACEPARENT),
                () -> headers(received),
                received.value());
    }

    /** @throws RegistryUnavailable if only the registry could tell whether this is an event */
    Incoming read(ParkedEvent parked) {
        return read(
                parked.id(),
                parked.eventId(),
                parked.topic(),
                parked.partition(),
                parked.offset(),
                parked.key(),
                parked.headers().get(CloudEventHeaders.ID),
                parked.headers().get(CloudEventHeaders.TRACEPARENT),
                parked::headers,
                parked.payload());
    }

    /**
     * An event that cannot be read is known by its place, whatever it says about itself: garbage that carries a real event's
     * id must not make that one look like a duplicate. One that can be read is known by its own id, if it has one.
     */
    private Incoming read(
            UUID parkedId,
            UUID placeId,
            String topic,
            int partition,
            long offset,
            String key,
            @Nullable String ownId,
            @Nullable String trace,
            Supplier<Map<String, String>> headers,
            byte @Nullable [] payload) {
        String traceparent = trace != null && TRACEPARENT.matcher(trace).matches() ? trace : null;
        SpecificRecord body;
        try {
            body = wire.decode(payload);
            refuseStranger(topic, body.getSchema());
        } catch (UndecodableEvent | Stranger e) {
            return new Incoming(
                    placeId,
                    parkedId,
                    topic,
                    partition,
                    offset,
                    key,
                    headers,
                    payload,
                    null,
                    e.getMessage(),
                    traceparent);
        }
        UUID own = uuid(ownId);
        return new Incoming(
                own == null ? placeId : own,
                parkedId,
                topic,
                partition,
                offset,
                key,
                headers,
                payload,
                body,
                null,
                traceparent);
    }

    private void refuseStranger(String topic, Schema schema) {
        Set<String> types = typesByTopic.computeIfAbsent(
                topic,
                t -> catalog.schemasOf(t).stream().map(Schema::getFullName).collect(Collectors.toUnmodifiableSet()));
        if (!types.contains(schema.getFullName())) {
            throw new Stranger(schema.getFullName() + " does not belong into the topic " + topic);
        }
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> received, String name) {
        Header header = received.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> received) {
        var headers = new HashMap<String, String>();
        for (Header header : received.headers()) {
            headers.put(PlainText.of(header.key()), PlainText.lossless(header.value()));
        }
        return headers;
    }

    private static @Nullable UUID uuid(@Nullable String text) {
        if (text == null || text.length() != UUID_LENGTH) {
            return null;
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** An event in a topic that is not its own. */
    private static final class Stranger extends RuntimeException {

        private static final long serialVersionUID = 1;

        Stranger(String message) {
            super(message, null, false, false);
        }
    }
}
