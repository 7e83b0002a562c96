package dev.paysaga.saga.relay;

import io.debezium.connector.base.QueueProvider;
import io.debezium.pipeline.Sizeable;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The queue between Debezium's reader and its poller, as its own one, but calm: the poller of an empty queue waits whole
 * milliseconds only and turns round and round in the rest of its interval, which costs a twentieth of a core for each idle relay.
 * Here it rests a little each time it asks in vain.
 *
 * <p>Debezium guards all calls with one lock. It finds this class as a service, and uses it where {@code queue.provider.type} says
 * so.
 *
 * @param <T> what is queued
 */
public final class CalmQueue<T extends Sizeable> implements QueueProvider<T> {

    /** Its name as {@code queue.provider.type}. */
    public static final String NAME = "paysaga-calm";

    /** Also the longest time the reader may have to wait for the lock because of it. */
    private static final long REST = TimeUnit.MICROSECONDS.toNanos(200);

    private final Queue<T> queue = new ArrayDeque<>();
    private @Nullable Thread reader;

    /** For the service loader. */
    public CalmQueue() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void configure(Map<String, ?> properties) {
        // Debezium bounds the queue itself.
    }

    @Override
    public void enqueue(T event) {
        reader = Thread.currentThread();
        queue.add(event);
    }

    @Override
    @SuppressWarnings("NullAway") // null means empty
    public T poll() {
        return queue.poll();
    }

    @Override
    public int size() {
        if (queue.isEmpty() && reader != null && Thread.currentThread() != reader) {
            LockSupport.parkNanos(REST);
        }
        return queue.size();
    }
}
