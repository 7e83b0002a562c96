package dev.paysaga.saga.inbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ListenerUtils;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Tries a failed poll again from its first records on, for as long as it takes, with growing pauses. Nothing is skipped and
 * nothing overtakes.
 *
 * <p>Each partition goes back to where the poll began, and the records are fetched anew. That keeps order whatever happens
 * in between: if the partition goes to another replica, that one starts at the last commit, and this one keeps nothing in
 * memory that it could handle too late. (Spring's own handler for batches holds on to the records instead, and hands them to
 * a recoverer at the end.) Pauses are far shorter than the time after which the group takes a consumer for dead.
 */
final class BlockingRetry implements CommonErrorHandler {

    /** From here on the stack trace is known, one line is enough. */
    private static final int TRACES = 1;

    private static final Logger log = LoggerFactory.getLogger(BlockingRetry.class);

    private final ExponentialBackOff backOff;

    /** Each consumer has a thread of its own. */
    private final ThreadLocal<@Nullable Row> row = new ThreadLocal<>();

    /** Failures in a row. */
    private static final class Row {

        final BackOffExecution pauses;
        int length;

        Row(BackOffExecution pauses) {
            this.pauses = pauses;
        }
    }

    BlockingRetry(Duration first, Duration longest) {
        this.backOff = new ExponentialBackOff(first.toMillis(), 2);
        backOff.setMaxInterval(longest.toMillis());
        backOff.setMaxElapsedTime(Long.MAX_VALUE);
    }

    @Override
    public void handleBatch(
            Exception thrown,
            ConsumerRecords<?, ?> data,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        goBack(data, consumer);
        pause(thrown, container, data.count() + " records of " + data.partitions());
    }

    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        pause(thrown, container, "polling");
    }

    /** Called by the container when a poll went well. */
    @Override
    public void clearThreadState() {
        row.remove();
    }

    @Override
    public boolean seeksAfterHandling() {
        return true;
    }

    /** What failed is not done, and its offsets are not committed. */
    @Override
    public boolean isAckAfterHandle() {
        return false;
    }

    private static void goBack(ConsumerRecords<?, ?> data, Consumer<?, ?> consumer) {
        Map<TopicPartition, Long> first = new HashMap<>();
        for (ConsumerRecord<?, ?> failed : data) {
            first.putIfAbsent(new TopicPartition(failed.topic(), failed.partition()), failed.offset());
        }
        first.forEach((partition, offset) -> {
            try {
                consumer.seek(partition, offset);
            } catch (IllegalStateException e) {
                log.info("{} has gone to another consumer, which begins at the last commit", partition);
            }
        });
    }

    private void pause(Exception thrown, MessageListenerContainer container, String what) {
        Row failures = row.get();
        if (failures == null) {
            failures = new Row(backOff.start());
            row.set(failures);
        }
        long pause = failures.pauses.nextBackOff();
        Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
        if (failures.length++ < TRACES) {
            log.error("{} could not be handled; they are tried again until they are", what, cause);
        } else {
            log.error(
                    "{} could not be handled, attempt {}, again in {} ms: {}",
                    what,
                    failures.length,
                    pause,
                    cause.toString());
        }
        try {
            ListenerUtils.stoppableSleep(container, pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
