package dev.paysaga.reconciliation;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** What was published to the topics. */
public interface EventLog {

    /** How far the topics and their readers are now. */
    Progress progress();

    /** Every event of a window that has been published by now, whoever published it, each once. */
    Collection<Published> read(Window window);

    /**
     * How far the topics and their readers were at one moment.
     *
     * @param ends the offset after the last record, by partition
     * @param done the offset after the last record that is done with, by consumer group and partition
     */
    record Progress(Map<TopicPartition, Long> ends, Map<String, Map<TopicPartition, Long>> done) {

        /** Whether the event was there already. */
        boolean hadSeen(Published event) {
            return event.offset() < ends.getOrDefault(event.partition(), 0L);
        }

        /** Whether the group had done with it. */
        boolean hadPassed(String group, Published event) {
            return event.offset() < done.getOrDefault(group, Map.of()).getOrDefault(event.partition(), 0L);
        }
    }
}
