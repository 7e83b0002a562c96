package dev.paysaga.saga.inbox;

import dev.paysaga.saga.SagaProperties;
import dev.paysaga.saga.inbox.Listening.LaneContainer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.MicrometerConsumerListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/**
 * One listener container per lane that a service listens to, not yet started.
 *
 * @param topics all topics they listen to
 */
record LaneContainers(List<LaneContainer> containers, Set<String> topics) {

    static final LaneContainers NONE = new LaneContainers(List.of(), Set.of());

    /**
     * How long a killed replica's partitions wait for somebody else. Kafka's own 45 s would be the longest stall in the whole
     * system; less than 10 s would take a long garbage collection for a death.
     */
    private static final String SESSION_TIMEOUT_MS = "10000";

    /**
     * About thirty events, or what has come within 15 ms: a transaction costs nearly as much for one event as for thirty, so
     * a poll is worth waiting for a moment.
     */
    private static final int FETCH_MIN_BYTES = 16 * 1024;

    private static final int FETCH_MAX_WAIT_MS = 15;

    /** A batch takes tenths of a second; what hangs longer than this is rolled back, and another replica begins it again. */
    private static final Duration LAST_BATCH = Duration.ofSeconds(6);

    /** An authorization that was withdrawn may come back; the container must not give up upon it. */
    private static final Duration AUTHORIZATION_RETRY = Duration.ofSeconds(5);

    /** @param consumerSettings what the application says about Kafka consumers */
    static LaneContainers of(
            SagaProperties properties,
            Participant<?> participant,
            Reactor<?> reactor,
            CompensationLimit limit,
            Map<String, Object> consumerSettings,
            MeterRegistry meters) {
        var retry = new BlockingRetry(
                properties.consumer().firstBackOff(), properties.consumer().maxBackOff());
        var containers = new ArrayList<LaneContainer>();
        var topics = new HashSet<String>();
        for (Lane lane : Lane.values()) {
            Set<String> ofLane = participant.topics().getOrDefault(lane, Set.of());
            topics.addAll(ofLane);
            if (!ofLane.isEmpty()) {
                var listener = new LaneListener(lane, reactor, limit);
                var settings = new ContainerProperties(ofLane.toArray(String[]::new));
                settings.setMessageListener(listener);
                int maxPollRecords = properties.consumer().maxPollRecords();
                var consumers = consumers(
                        group(properties, lane),
                        lane == Lane.COMPENSATION ? limit.limitPoll(maxPollRecords) : maxPollRecords,
                        consumerSettings,
                        meters);
                containers.add(
                        new LaneContainer(lane, listener, container(properties, lane, settings, consumers, retry)));
            }
        }
        return new LaneContainers(List.copyOf(containers), Set.copyOf(topics));
    }

    private static String group(SagaProperties properties, Lane lane) {
        return properties.serviceName() + "." + lane.name().toLowerCase(Locale.ROOT);
    }

    private static ConcurrentMessageListenerContainer<byte[], byte[]> container(
            SagaProperties properties,
            Lane lane,
            ContainerProperties settings,
            ConsumerFactory<byte[], byte[]> consumers,
            BlockingRetry retry) {
        String group = group(properties, lane);
        settings.setGroupId(group);
        settings.setAckMode(AckMode.BATCH);
        settings.setShutdownTimeout(LAST_BATCH.toMillis());
        settings.setMissingTopicsFatal(false);
        settings.setAuthExceptionRetryInterval(AUTHORIZATION_RETRY);
        var container = new ConcurrentMessageListenerContainer<>(consumers, settings);
        container.setBeanName(group);
        container.setConcurrency(properties.consumer().concurrency());
        container.setCommonErrorHandler(retry);
        return container;
    }

    private static ConsumerFactory<byte[], byte[]> consumers(
            String group, int maxPollRecords, Map<String, Object> consumerSettings, MeterRegistry meters) {
        var settings = new HashMap<>(consumerSettings);
        settings.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
        settings.putIfAbsent(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, FETCH_MIN_BYTES);
        settings.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, group);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords);
        // A group that has lost its offsets starts again from the beginning: the inbox knows what it has heard, and
        // nothing
        // is ever passed over.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        var consumers = new DefaultKafkaConsumerFactory<byte[], byte[]>(settings);
        consumers.addListener(new MicrometerConsumerListener<>(meters));
        return consumers;
    }
}
