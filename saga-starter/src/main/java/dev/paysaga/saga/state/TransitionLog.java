package dev.paysaga.saga.state;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The history of one kind of aggregate: the table {@code <aggregate>_events} and the counter
 * {@code paysaga_transitions_total}.
 *
 * <p>The table belongs to the service and is created by its migration:
 *
 * <pre>{@code
 * create table order_events (
 *     order_id   uuid        not null,
 *     event_id   uuid        not null,
 *     from_state smallint    not null,
 *     to_state   smallint    not null,
 *     version    int         not null,
 *     at         timestamptz not null default clock_timestamp(),
 *     primary key (order_id, event_id)
 * );
 * }</pre>
 */
public final class TransitionLog {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z_]*");

    private final JdbcOperations jdbc;
    private final MeterRegistry meters;
    private final String aggregate;
    private final String insert;
    private final Map<Step, Counter> counters = new ConcurrentHashMap<>();

    private TransitionLog(JdbcOperations jdbc, MeterRegistry meters, String aggregate) {
        this.jdbc = jdbc;
        this.meters = meters;
        this.aggregate = aggregate;
        this.insert = """
                insert into %1$s_events (%1$s_id, event_id, from_state, to_state, version)
                select * from unnest(?::uuid[], ?::uuid[], ?::smallint[], ?::smallint[], ?::int[])
                """.formatted(aggregate);
    }

    /**
     * @param aggregate the name in {@code <aggregate>_events} and {@code <aggregate>_id}, lower case
     * @throws IllegalArgumentException if the name could not be a table's
     */
    public static TransitionLog of(JdbcOperations jdbc, MeterRegistry meters, String aggregate) {
        if (!NAME.matcher(aggregate).matches()) {
            throw new IllegalArgumentException("'" + aggregate + "' cannot be part of a table's name");
        }
        return new TransitionLog(jdbc, meters, aggregate);
    }

    /**
     * Writes these changes with one statement, however many they are. Call it in the transaction that changes the state.
     *
     * @throws org.springframework.dao.DuplicateKeyException if one of these events has changed its aggregate before
     */
    public void append(List<Transition> transitions) {
        if (transitions.isEmpty()) {
            return;
        }
        jdbc.update(
                insert,
                transitions.stream().map(Transition::aggregateId).toArray(UUID[]::new),
                transitions.stream().map(Transition::eventId).toArray(UUID[]::new),
                codes(transitions, Transition::from),
                codes(transitions, Transition::to),
                transitions.stream().map(Transition::version).toArray(Integer[]::new));
        transitions.forEach(this::count);
    }

    private static Short[] codes(List<Transition> transitions, ToIntFunction<Transition> code) {
        return transitions.stream()
                .map(transition -> (short) code.applyAsInt(transition))
                .toArray(Short[]::new);
    }

    private void count(Transition transition) {
        counters.computeIfAbsent(new Step(transition.fromName(), transition.toName()), this::counter)
                .increment();
    }

    private Counter counter(Step step) {
        return Counter.builder("paysaga.transitions")
                .description("Changes of state, by aggregate")
                .tags("aggregate", aggregate, "from", step.from(), "to", step.to())
                .register(meters);
    }

    private record Step(String from, String to) {}
}
