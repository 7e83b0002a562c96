package dev.paysaga.stack.bench;

import dev.paysaga.stack.processes.Quiet;
import dev.paysaga.stack.processes.Stack;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * What forward orders feel of a storm of compensations: their latency while a backlog of refunds is worked off, beside their
 * latency when it is over, on the same warm processes.
 *
 * <p>The backlog is made while account-service is stopped, so that the refunds' own HTTP requests are over when the measuring
 * begins: what is left is the compensations' own weight.
 */
public final class StormBench {

    /** The contract of the compensation lane. */
    private static final double BOUND = 1.5;

    private static final int REFUNDS_OF_AN_ORDER = 4;
    private static final int CLIENTS = 32;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration MEASURED = Duration.ofSeconds(30);
    private static final Duration SETTLING = Duration.ofMinutes(5);

    private final Stack stack;
    private final Target target;
    private final Consumer<String> out;

    public StormBench(Stack stack, Target target, Consumer<String> out) {
        this.stack = stack;
        this.target = target;
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param rate forward orders a second
     * @param refunds how many refunds wait when the storm begins
     * @return whether forward p99 stayed within its bound
     */
    public boolean run(int rate, int refunds) {
        try (var arrivals = new Arrivals(target.bootstrapServers())) {
            int orders = refunds / REFUNDS_OF_AN_ORDER;
            out.accept(orders + " orders to be refunded " + REFUNDS_OF_AN_ORDER + " times each");
            var past = new Load(target);
            past.prepare();
            past.atFullSpeed(orders, CLIENTS);
            Bench.settled(past, arrivals, out);
            stack.stop("account");
            past.refund(REFUNDS_OF_AN_ORDER, CLIENTS);
            stack.start("account");

            LongSupplier waiting = () -> stack.quiet().pending().lag().entrySet().stream()
                    .filter(group -> group.getKey().endsWith(".compensation"))
                    .mapToLong(java.util.Map.Entry::getValue)
                    .sum();
            measure(rate, WARM_UP, arrivals);
            long waitingBefore = waiting.getAsLong();
            out.accept("storm: %,d compensating events wait".formatted(waitingBefore));
            Histogram storm = measure(rate, MEASURED, arrivals);
            out.accept("  POST to PAID            " + Bench.milliseconds(storm));
            out.accept("  %,d compensating events still wait".formatted(waiting.getAsLong()));

            Quiet.Pending pending = stack.quiet().await(SETTLING);
            out.accept(pending.none() ? "calm" : "calm? " + pending);
            measure(rate, WARM_UP, arrivals);
            Histogram calm = measure(rate, MEASURED, arrivals);
            out.accept("  POST to PAID            " + Bench.milliseconds(calm));
            double ratio = (double) storm.getValueAtPercentile(99) / calm.getValueAtPercentile(99);
            out.accept(
                    "p99 in the storm is %.2f times its calm value; at most %.1f is allowed".formatted(ratio, BOUND));
            if (waitingBefore <= 0) {
                out.accept("VOID: the storm was over before it was measured; take more --refunds");
            }
            return waitingBefore > 0 && ratio <= BOUND;
        }
    }

    private Histogram measure(int rate, Duration duration, Arrivals arrivals) {
        var load = new Load(target);
        load.prepare();
        load.atRate(rate, duration);
        Bench.settled(load, arrivals, out);
        return Bench.latencies(load, arrivals);
    }
}
