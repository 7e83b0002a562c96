package dev.paysaga.order;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Waits for orders to be decided, whichever replica decides them. One look at the database serves all who wait, so that
 * waiting costs the same however many do, and nothing while nobody does.
 */
@Component
final class Outcomes {

    /** Far below what a person notices. */
    private static final Duration INTERVAL = Duration.ofMillis(25);

    private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

    private final JdbcOperations jdbc;
    private final Map<UUID, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean stopping;

    Outcomes(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** Who waits is told how things stand, before anything is stopped: nobody is cut off, and nobody keeps us from ending. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        stopping = true;
        awaited.values().forEach(waiting -> waiting.complete(null));
        awaited.clear();
    }

    /**
     * Returns when the order is confirmed or given up, or after this time, or when the service is about to stop.
     *
     * @throws InterruptedException if the service stops
     */
    void await(UUID orderId, Duration atMost) throws InterruptedException {
        CompletableFuture<Void> decided = awaited.computeIfAbsent(orderId, id -> new CompletableFuture<>());
        if (stopping) {
            awaited.remove(orderId, decided);
            return;
        }
        watch();
        try {
            decided.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            awaited.remove(orderId, decided);
        }
    }

    private void watch() {
        if (!awaited.isEmpty() && watching.compareAndSet(false, true)) {
            Thread.ofVirtual().name("order-outcomes").start(() -> {
                while (!awaited.isEmpty()) {
                    look();
                    LockSupport.parkNanos(INTERVAL.toNanos());
                }
                watching.set(false);
                watch(); // for one who came in between
            });
        }
    }

    private void look() {
        try {
            jdbc.query(
                    "select order_id from orders where order_id = any(?) and state not in (10, 20)",
                    row -> {
                        CompletableFuture<Void> decided = awaited.remove(row.getObject(1, UUID.class));
                        if (decided != null) {
                            decided.complete(null);
                        }
                    },
                    (Object) awaited.keySet().toArray(UUID[]::new));
        } catch (DataAccessException e) {
            log.debug("Nobody can tell what became of {} orders: {}", awaited.size(), e.toString());
        }
    }
}
