package dev.paysaga.stack.processes;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Is anything still on its way? The books can only be judged when nothing is.
 *
 * <p>The order of the questions matters: first what consumers have not finished, then what outboxes have not relayed, then
 * whether a topic has grown meanwhile. Whatever a consumer did before the first question is in an outbox or in a topic by
 * the second.
 */
public final class Quiet {

    private static final int SECONDS = 10;

    private static final String NOT_RELAYED =
            "select count(*) from outbox where tx >= (select watermark from relay_state)";

    /** What the services have planned to do by themselves, later. */
    private static final Map<String, List<String>> PLANNED = Map.of(
            "order", List.of("select count(*) from orders where deadline_at is not null"),
            "account", List.of("select count(*) from payment_refunds where next_attempt_at is not null"));

    private final Databases databases;
    private final String bootstrapServers;

    public Quiet(Databases databases, String bootstrapServers) {
        this.databases = databases;
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * What is on its way.
     *
     * @param notRelayed outbox rows that are not in Kafka yet, by service
     * @param lag records that a consumer group has not finished, by group
     * @param planned retries and deadlines that will come, by service
     * @param unknown what could not be asked, in words; whatever is in there may be in flight
     */
    public record Pending(
            Map<String, Long> notRelayed, Map<String, Long> lag, Map<String, Long> planned, List<String> unknown) {

        /** Nothing is on its way, and that is known for sure. */
        public boolean none() {
            return unknown.isEmpty()
                    && notRelayed.values().stream().allMatch(count -> count == 0)
                    && lag.values().stream().allMatch(count -> count == 0)
                    && planned.values().stream().allMatch(count -> count == 0);
        }

        @Override
        public String toString() {
            return "not relayed " + notRelayed + ", consumer lag " + lag + ", planned " + planned
                    + (unknown.isEmpty() ? "" : ", unknown " + unknown);
        }
    }

    /** Asks all databases and the broker. */
    public Pending pending() {
        var notRelayed = new TreeMap<String, Long>();
        var lag = new TreeMap<String, Long>();
        var planned = new TreeMap<String, Long>();
        var unknown = new ArrayList<String>();
        try (Admin admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                SECONDS * 1_000))) {
            Map<TopicPartition, Long> before = ends(admin);
            lag(admin, before, lag);
            for (String service : Databases.SERVICES) {
                ask(service, notRelayed, planned, unknown);
            }
            if (!before.equals(ends(admin))) {
                unknown.add("events were published while asking");
            }
        } catch (ExecutionException | TimeoutException e) {
            unknown.add("kafka: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            unknown.add("interrupted");
        }
        return new Pending(notRelayed, lag, planned, unknown);
    }

    /** Waits until nothing is on its way; what is, when the time is over. */
    public Pending await(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            Pending pending = pending();
            if (pending.none()
                    || System.nanoTime() > deadline
                    || Thread.currentThread().isInterrupted()) {
                return pending;
            }
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private void ask(String service, Map<String, Long> notRelayed, Map<String, Long> planned, List<String> unknown) {
        try (Connection connection = databases.connect(service);
                Statement sql = connection.createStatement()) {
            notRelayed.put(service, count(sql, NOT_RELAYED));
            for (String query : PLANNED.getOrDefault(service, List.of())) {
                planned.merge(service, count(sql, query), Long::sum);
            }
        } catch (SQLException e) {
            unknown.add(service + "-db: " + e.getMessage());
        }
    }

    private static long count(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void lag(Admin admin, Map<TopicPartition, Long> ends, Map<String, Long> lag)
            throws ExecutionException, InterruptedException, TimeoutException {
        Collection<String> groups = admin.listGroups().all().get(SECONDS, TimeUnit.SECONDS).stream()
                .filter(group -> group.protocol().equals("consumer"))
                .map(GroupListing::groupId)
                // The console only watches: whether it has seen everything changes nothing.
                .filter(group -> !group.equals(Databases.CONSOLE))
                .toList();
        Map<String, ConsumerGroupDescription> described =
                admin.describeConsumerGroups(groups).all().get(SECONDS, TimeUnit.SECONDS);
        for (Map.Entry<String, ConsumerGroupDescription> byId : described.entrySet()) {
            Map<TopicPartition, OffsetAndMetadata> done = admin.listConsumerGroupOffsets(byId.getKey())
                    .partitionsToOffsetAndMetadata()
                    .get(SECONDS, TimeUnit.SECONDS);
            Set<TopicPartition> mine = new HashSet<>(done.keySet());
            ConsumerGroupDescription group = byId.getValue();
            group.members().forEach(member -> mine.addAll(member.assignment().topicPartitions()));
            long left = mine.stream()
                    .mapToLong(partition -> {
                        OffsetAndMetadata committed = done.get(partition);
                        return ends.getOrDefault(partition, 0L) - (committed == null ? 0 : committed.offset());
                    })
                    .sum();
            lag.put(byId.getKey(), left);
        }
    }

    private static Map<TopicPartition, Long> ends(Admin admin)
            throws ExecutionException, InterruptedException, TimeoutException {
        Set<String> topics = admin.listTopics().names().get(SECONDS, TimeUnit.SECONDS);
        Map<TopicPartition, OffsetSpec> wanted =
                admin.describeTopics(topics).allTopicNames().get(SECONDS, TimeUnit.SECONDS).values().stream()
                        .flatMap(topic -> topic.partitions().stream()
                                .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        return admin.listOffsets(wanted).all().get(SECONDS, TimeUnit.SECONDS).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }
}
