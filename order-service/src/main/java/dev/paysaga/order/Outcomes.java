package dev.paysaga.order;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

/**
 * Waits for orders to be decided, whichever replica decides them. One look at the database serves all who wait, so that
 * waiting costs the same however many do.
 */
@Component
final class Outcomes implements SchedulingConfigurer {

    /** Far below what a person notices, and nothing at all while nobody waits. */
    private static final Duration INTERVAL = Duration.ofMillis(25);

    private final JdbcOperations jdbc;
    private final Map<UUID, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();

    Outcomes(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar registrar) {
        registrar.addFixedDelayTask(this::look, INTERVAL);
    }

    /**
     * Returns when the order is confirmed or given up, or after this time.
     *
     * @throws InterruptedException if the service stops
     */
    void await(UUID orderId, Duration atMost) throws InterruptedException {
        CompletableFuture<Void> decided = awaited.computeIfAbsent(orderId, id -> new CompletableFuture<>());
        try {
            decided.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            awaited.remove(orderId, decided);
        }
    }

    private void look() {
        if (awaited.isEmpty()) {
            return;
        }
        jdbc.query(
                "select order_id from orders where order_id = any(?) and state not in (10, 20)",
                row -> {
                    CompletableFuture<Void> decided = awaited.remove(row.getObject(1, UUID.class));
                    if (decided != null) {
                        decided.complete(null);
                    }
                },
                (Object) awaited.keySet().toArray(UUID[]::new));
    }
}
