package dev.paysaga.stack.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** One run of {@code ./paysaga bench}: a fixed rate, full speed, and the yardstick, on the system as it stands. */
public final class Bench {

    private static final Duration SETTLING = Duration.ofMinutes(3);

    private final Target target;
    private final Consumer<String> out;

    public Bench(Target target, Consumer<String> out) {
        this.target = target;
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param rate orders a second of the fixed-rate part
     * @param seconds how long the fixed-rate part lasts
     * @param orders how many orders the full-speed part places
     * @param clients how many clients place them at once
     * @return whether every order that was accepted was paid
     */
    public boolean run(int rate, int seconds, int orders, int clients) throws SQLException {
        try (var arrivals = new Arrivals(target.bootstrapServers())) {
            out.accept("warm-up: " + orders + " orders");
            var warmUp = new Load(target);
            warmUp.prepare();
            warmUp.atFullSpeed(orders, clients);
            boolean paid = settled(warmUp, arrivals, out);

            out.accept("");
            out.accept("fixed rate: " + rate + " orders/s for " + seconds + " s");
            var fixed = new Load(target);
            fixed.prepare();
            fixed.atRate(rate, Duration.ofSeconds(seconds));
            paid &= settled(fixed, arrivals, out);
            out.accept("  POST to PAID            " + milliseconds(latencies(fixed, arrivals)));
            out.accept("  commit to Kafka         " + milliseconds(commitToKafka(arrivals, fixed)));

            out.accept("");
            out.accept("full speed: " + orders + " orders from " + clients + " clients");
            var full = new Load(target);
            full.prepare();
            long start = Load.now();
            full.atFullSpeed(orders, clients);
            double accepted = orders / ((Load.now() - start) / 1e9);
            paid &= settled(full, arrivals, out);
            long last = full.postedAt.keySet().stream()
                    .mapToLong(id -> arrivals.paidAt.getOrDefault(id, start))
                    .max()
                    .orElse(start);
            double completed = full.postedAt.size() / ((last - start) / 1e9);
            out.accept(String.format("  accepted                %,.0f orders/s", accepted));
            out.accept(String.format("  completed               %,.0f orders/s", completed));
            out.accept("  POST to PAID            " + milliseconds(latencies(full, arrivals)));
            out.accept("  commit to Kafka         " + milliseconds(commitToKafka(arrivals, full)));

            out.accept("");
            out.accept("yardstick: the same business writes in one transaction in one database, 8 clients, 15 s");
            double yardstick = Yardstick.ordersPerSecond(
                    Objects.requireNonNull(target.databases().get("order")), Duration.ofSeconds(15));
            out.accept(String.format("  completed               %,.0f orders/s", yardstick));
            out.accept(String.format("  ratio                   %.2f", completed / yardstick));

            out.accept("");
            out.accept("resident memory");
            long total = 0;
            for (var process : new TreeMap<>(target.residentMemory().byProcess()).entrySet()) {
                out.accept(String.format("  %-22s %,6d MiB", process.getKey(), process.getValue() >> 20));
                total += process.getValue();
            }
            out.accept(String.format("  %-22s %,6d MiB", "total", total >> 20));
            return paid;
        }
    }

    static boolean settled(Load load, Arrivals arrivals, Consumer<String> out) {
        long deadline = System.nanoTime() + SETTLING.toNanos();
        while (!arrivals.paidAt.keySet().containsAll(load.postedAt.keySet())) {
            if (System.nanoTime() > deadline) {
                long missing = load.postedAt.keySet().stream()
                        .filter(id -> !arrivals.paidAt.containsKey(id))
                        .count();
                out.accept("  NOT PAID within " + SETTLING.toSeconds() + " s: " + missing + " orders");
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        if (load.refused.get() > 0) {
            out.accept("  refused at the door: " + load.refused.get());
        }
        return true;
    }

    static Histogram latencies(Load load, Arrivals arrivals) {
        var histogram = new Histogram(3);
        load.postedAt.forEach((id, posted) -> {
            Long paid = arrivals.paidAt.get(id);
            if (paid != null) {
                histogram.recordValue(Math.max(0, (paid - posted) / 1000));
            }
        });
        return histogram;
    }

    /** From the commit, as PostgreSQL noted it, to when the event was read from Kafka. */
    private Histogram commitToKafka(Arrivals arrivals, Load load) throws SQLException {
        var histogram = new Histogram(3);
        long since =
                load.postedAt.values().stream().mapToLong(Long::longValue).min().orElse(Load.now());
        for (Map.Entry<String, Target.Database> database : target.databases().entrySet()) {
            try (Connection connection = database.getValue().open();
                    var statement = connection.prepareStatement(
                            "select id, pg_xact_commit_timestamp(xmin) from outbox where created_at >= to_timestamp(?)")) {
                statement.setDouble(1, since / 1e9);
                var rows = statement.executeQuery();
                while (rows.next()) {
                    Long seen = arrivals.seenAt.get(rows.getObject(1, UUID.class));
                    if (seen != null && rows.getTimestamp(2) != null) {
                        long committed = Load.epochNanos(rows.getTimestamp(2).toInstant());
                        histogram.recordValue(Math.max(0, (seen - committed) / 1000));
                    }
                }
            }
        }
        return histogram;
    }

    static String milliseconds(Histogram microseconds) {
        return String.format(
                "p50 %.1f ms, p99 %.1f ms, max %.1f ms  (%,d)",
                microseconds.getValueAtPercentile(50) / 1000.0,
                microseconds.getValueAtPercentile(99) / 1000.0,
                microseconds.getMaxValue() / 1000.0,
                microseconds.getTotalCount());
    }
}
