package dev.paysaga.saga.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paysaga.wire.CloudEventHeaders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Outbox rows as Kafka records: CloudEvents 1.0, Kafka binding, binary mode. */
final class CloudEvents {

    private static final JsonFactory JSON = new JsonFactory();
    private static final RecordHeader SPEC_VERSION =
            header(CloudEventHeaders.SPEC_VERSION, CloudEventHeaders.SPEC_VERSION_1_0);

    private final RecordHeader source;
    private final Map<String, RecordHeader> types = new ConcurrentHashMap<>();

    /** @param service the announcing service, {@code ce_source} being {@code /paysaga/<service>} */
    CloudEvents(String service) {
        this.source = header(CloudEventHeaders.SOURCE, "/paysaga/" + service);
    }

    ProducerRecord<byte[], byte[]> record(OutboxRow row) {
        byte @Nullable [] key =
                row.aggregateId() == null ? null : row.aggregateId().getBytes(UTF_8);
        var headers = new RecordHeaders();
        headers.add(header(CloudEventHeaders.ID, row.id()));
        headers.add(types.computeIfAbsent(row.eventType(), type -> header(CloudEventHeaders.TYPE, type)));
        headers.add(source);
        headers.add(header(CloudEventHeaders.TIME, row.time()));
        if (key != null) {
            headers.add(new RecordHeader(CloudEventHeaders.SUBJECT, key));
        }
        headers.add(SPEC_VERSION);
        addOwn(row.headers(), headers);
        return new ProducerRecord<>(row.topic(), null, key, row.payload(), headers);
    }

    /** The row's own headers: a flat object of strings; anything else in it is skipped, as no header can hold it. */
    private static void addOwn(@Nullable String json, RecordHeaders headers) {
        if (json == null || json.length() <= 2) {
            return;
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING) {
                    headers.add(header(name, parser.getString()));
                } else {
                    parser.skipChildren();
                }
            }
        }
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }
}
