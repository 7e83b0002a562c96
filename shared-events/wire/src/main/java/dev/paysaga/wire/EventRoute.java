package dev.paysaga.wire;

import java.util.Map;

/**
 * Where an event belongs.
 *
 * @param topic the Kafka topic it is published to; only the owning service writes there
 * @param aggregateType what the key names, for example {@code order}
 * @param aggregateId the Kafka key: events with one key keep their order
 * @param headers further Kafka headers, by name; never null, often empty
 */
public record EventRoute(String topic, String aggregateType, String aggregateId, Map<String, String> headers) {

    public EventRoute {
        headers = Map.copyOf(headers);
    }
}
