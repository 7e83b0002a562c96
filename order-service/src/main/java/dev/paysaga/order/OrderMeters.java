package dev.paysaga.order;

import dev.paysaga.order.LockedOrders.Change;
import dev.paysaga.order.domain.OrderStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** How many orders are on their way, and how long it took those that have arrived. */
@Component
final class OrderMeters {

    /** As often as Prometheus usually looks. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final List<OrderStatus> WAITING = List.of(
            OrderStatus.CREATED,
            OrderStatus.STOCK_RESERVED,
            OrderStatus.CONFIRMED,
            OrderStatus.CANCELING,
            OrderStatus.REFUNDING);

    private final JdbcOperations jdbc;
    private final Timer paid;
    private final Timer canceled;
    private final Map<OrderStatus, AtomicLong> inFlight = new EnumMap<>(OrderStatus.class);
    private final Map<OrderStatus, AtomicLong> stuck = new EnumMap<>(OrderStatus.class);

    OrderMeters(JdbcOperations jdbc, MeterRegistry registry) {
        this.jdbc = jdbc;
        this.paid = duration(registry, OrderStatus.PAID);
        this.canceled = duration(registry, OrderStatus.CANCELED);
        for (OrderStatus status : WAITING) {
            inFlight.put(status, gauge(registry, "paysaga.saga.in.flight", "Orders that are on their way", status));
            stuck.put(status, gauge(registry, "paysaga.saga.stuck", "Orders a person was told about", status));
        }
    }

    /** Counts an order that has arrived. Its id says when it set out. */
    void count(Change change) {
        OrderStatus to = change.after().status();
        if (change.before().status() == OrderStatus.CONFIRMED && to == OrderStatus.PAID) {
            paid.record(age(change.after().orderId()));
        } else if (change.before().status() == OrderStatus.CANCELING && to == OrderStatus.CANCELED) {
            canceled.record(age(change.after().orderId()));
        }
    }

    /** Looks how many there are. */
    void measure() {
        var counted = new EnumMap<OrderStatus, long[]>(OrderStatus.class);
        jdbc.query("""
                select state, count(*), count(*) filter (where deadline_at is null)
                  from orders
                 where state in (10, 20, 30, 50, 60)
                 group by state
                """, row -> {
            counted.put(OrderStatus.of(row.getInt(1)), new long[] {row.getLong(2), row.getLong(3)});
        });
        long[] none = new long[2];
        inFlight.forEach((status, gauge) -> gauge.set(counted.getOrDefault(status, none)[0]));
        stuck.forEach((status, gauge) -> gauge.set(counted.getOrDefault(status, none)[1]));
    }

    private static Duration age(UUID orderId) {
        long startedAt = orderId.getMostSignificantBits() >>> 16;
        return Duration.ofMillis(Math.max(0, System.currentTimeMillis() - startedAt));
    }

    private static Timer duration(MeterRegistry registry, OrderStatus outcome) {
        return Timer.builder("paysaga.saga.duration")
                .description("From placing an order to its outcome")
                .tag("outcome", outcome.name())
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(10))
                .maximumExpectedValue(Duration.ofMinutes(10))
                .register(registry);
    }

    private static AtomicLong gauge(MeterRegistry registry, String name, String description, OrderStatus status) {
        var value = new AtomicLong();
        Gauge.builder(name, value, AtomicLong::get)
                .description(description)
                .tag("state", status.name())
                .register(registry);
        return value;
    }
}
