package dev.paysaga.saga.ops;

import dev.paysaga.saga.workorder.WorkOrders;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * {@code paysaga_work_orders_open}: how many questions wait for a person. Counted now and then and not when somebody looks,
 * so that a database that is away holds up no scrape; what is not known is not a number.
 */
final class OpenWorkOrders implements SmartLifecycle {

    /** As often as Prometheus usually looks. */
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(OpenWorkOrders.class);

    private final WorkOrders orders;
    private volatile double open = Double.NaN;
    private @Nullable ScheduledExecutorService counting;

    OpenWorkOrders(WorkOrders orders, MeterRegistry meters) {
        this.orders = orders;
        Gauge.builder("paysaga.work.orders.open", this, gauge -> gauge.open)
                .description("Work orders that wait for a person")
                .register(meters);
    }

    @Override
    public synchronized void start() {
        if (counting == null) {
            counting = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("work-orders").factory());
            counting.scheduleWithFixedDelay(this::count, 0, INTERVAL.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public synchronized void stop() {
        if (counting != null) {
            counting.shutdownNow();
            counting = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return counting != null;
    }

    private void count() {
        try {
            open = orders.open();
        } catch (RuntimeException e) {
            open = Double.NaN;
            log.debug("open work orders could not be counted", e);
        }
    }
}
