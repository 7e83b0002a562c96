package dev.paysaga.saga.inbox;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the topics a service writes to and listens to, with the number of partitions that was asked for. Were it left to
 * the first record, the broker's defaults would decide, and events of one key would change partition later.
 */
final class TopicCreation {

    private static final int TIMEOUT_SECONDS = 10;

    private static final Logger log = LoggerFactory.getLogger(TopicCreation.class);

    private final Map<String, Object> adminSettings;
    private final Set<String> topics;
    private final int partitions;
    private final short replicationFactor;

    TopicCreation(
            Map<String, Object> adminSettings, Collection<String> topics, int partitions, short replicationFactor) {
        this.adminSettings = adminSettings;
        this.topics = new TreeSet<>(topics);
        this.partitions = partitions;
        this.replicationFactor = replicationFactor;
    }

    /** @throws KafkaException if the broker cannot be reached or refuses */
    void run() throws InterruptedException {
        try (Admin admin = Admin.create(adminSettings)) {
            Set<String> existing = admin.listTopics().names().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            List<NewTopic> missing = topics.stream()
                    .filter(topic -> !existing.contains(topic))
                    .map(topic -> new NewTopic(topic, partitions, replicationFactor))
                    .toList();
            for (var creation : admin.createTopics(missing).values().entrySet()) {
                create(creation.getKey(), creation.getValue());
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("the broker does not create topics: " + e.getMessage(), e);
        }
    }

    private void create(String topic, KafkaFuture<Void> creation)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            creation.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            log.info("Created topic {} with {} partitions", topic, partitions);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }
}
