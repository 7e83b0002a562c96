package dev.paysaga.testkit;

import dev.paysaga.wire.CloudEventHeaders;
import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Records as a consumer gets them, without a broker: every topic has one partition, whose offsets count up from somewhere, so
 * that no two tests with one database mean the same place.
 */
public final class Records {

    private static final AtomicLong SOMEWHERE = new AtomicLong();

    private final ConfluentWire wire;
    private final EventCatalog language;
    private final Map<String, Long> ends = new HashMap<>();

    public Records(ConfluentWire wire, EventCatalog language) {
        this.wire = wire;
        this.language = language;
    }

    /** The next record of the event's topic. */
    public ConsumerRecord<byte[], byte[]> of(UUID id, SpecificRecord event) {
        EventRoute route = language.route(event);
        wire.register(language, List.of(route.topic()));
        var received = new ConsumerRecord<>(
                route.topic(),
                0,
                ends.compute(route.topic(), (topic, end) -> end == null ? SOMEWHERE.incrementAndGet() << 20 : end + 1),
                route.aggregateId().getBytes(StandardCharsets.UTF_8),
                wire.encode(route.topic(), event));
        received.headers().add(CloudEventHeaders.ID, id.toString().getBytes(StandardCharsets.UTF_8));
        route.headers().forEach((name, value) -> received.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return received;
    }
}
