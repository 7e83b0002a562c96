package dev.paysaga.saga.relay;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relay's Kafka producer. It waits for Kafka as long as it takes and keeps the order of each key; whatever it cannot get
 * over ends it, and the relay starts again from the watermark with a new one.
 */
final class Publisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    /** Kafka is away for as long as it is away. */
    private static final int FOR_EVER = Integer.MAX_VALUE;

    private final CloudEvents cloudEvents;
    private final Counter published;
    private final Counter refused;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    Publisher(Map<String, Object> kafka, CloudEvents cloudEvents, Counter published, Counter refused) {
        this.cloudEvents = cloudEvents;
        this.published = published;
        this.refused = refused;
        this.producer = new KafkaProducer<>(settings(kafka), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Sends a row without waiting. A row that can be no event is left out, loudly: one such row must not hold up all others.
     *
     * @throws org.apache.kafka.common.KafkaException if the producer is closed or broken
     * @throws IllegalStateException if Kafka refused something sent before
     */
    void send(OutboxRow row) {
        throwRefusal();
        if (row.payload() == null
                || row.payload().length == 0
                || row.topic() == null
                || row.topic().isBlank()) {
            refused.increment();
            LOG.error("ALARM: outbox row {} has no payload or no topic and was not sent", row.id());
            return;
        }
        producer.send(cloudEvents.record(row), (metadata, e) -> {
            if (e != null) {
                failure.compareAndSet(null, e);
            } else {
                published.increment();
            }
        });
    }

    /**
     * Waits until Kafka has acknowledged everything sent so far.
     *
     * @throws IllegalStateException if it refused something
     */
    void awaitAcknowledgements() {
        producer.flush();
        throwRefusal();
    }

    /** Ends at once; whatever is not acknowledged will be sent again by the next leader. */
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }

    private void throwRefusal() {
        @Nullable Exception refusal = failure.get();
        if (refusal != null) {
            throw new IllegalStateException("Kafka refused an event: " + refusal.getMessage(), refusal);
        }
    }

    private static Map<String, Object> settings(Map<String, Object> kafka) {
        var settings = new HashMap<>(kafka);
        settings.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, FOR_EVER);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) FOR_EVER);
        settings.put(ProducerConfig.RETRIES_CONFIG, FOR_EVER);
        // Flushing at the end of each batch sends what lingers, so that this only fills requests.
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        // After an outage the connection is there again as soon as Kafka is.
        settings.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500L);
        settings.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 500L);
        settings.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, "paysaga-outbox-relay");
        return settings;
    }
}
