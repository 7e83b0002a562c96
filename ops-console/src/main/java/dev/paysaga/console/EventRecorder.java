package dev.paysaga.console;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.reconciliation.Published;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Hears every topic and records what stands there. Headers only: bytes that nobody can read are recorded like any others, so
 * nothing has to be parked here, and a record without an event id is no event.
 */
@Configuration(proxyBeanMethods = false)
class EventRecorder {

    static final String GROUP = "console";

    /** Topics may be made after the console was started. */
    private static final int LOOK_FOR_TOPICS_MS = 5_000;

    private static final long RETRY_MS = 1_000;

    @Bean
    static ConcurrentMessageListenerContainer<byte[], byte[]> eventRecorderContainer(
            ConsumerFactory<?, ?> consumers, RecordedEvents recorded) {
        Map<String, Object> settings = new HashMap<>(consumers.getConfigurationProperties());
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, LOOK_FOR_TOPICS_MS);
        var container = new ContainerProperties(PaymentSaga.topics().toArray(String[]::new));
        container.setGroupId(GROUP);
        container.setAckMode(AckMode.BATCH);
        container.setMissingTopicsFatal(false);
        BatchMessageListener<byte[], byte[]> listener = records -> {
            List<Published> events =
                    records.stream().map(Published::of).filter(Objects::nonNull).toList();
            recorded.record(events);
        };
        container.setMessageListener(listener);
        var recorder = new ConcurrentMessageListenerContainer<byte[], byte[]>(
                new DefaultKafkaConsumerFactory<>(settings), container);
        recorder.setBeanName(GROUP);
        // Whatever is wrong with the database, nothing is passed over.
        recorder.setCommonErrorHandler(
                new DefaultErrorHandler(new FixedBackOff(RETRY_MS, FixedBackOff.UNLIMITED_ATTEMPTS)));
        return recorder;
    }
}
