package dev.paysaga.saga.inbox;

import dev.paysaga.saga.ImpossibleTransition;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * What a service does about what it hears. The {@link Reactor} hands it one Kafka poll at a time, inside one transaction:
 * load once, decide in memory event by event in the order of the records, save once.
 *
 * @param <W> the part of the service's state that one poll may touch, in memory, locked in the database
 */
public interface Participant<W> {

    /** The topics it listens to, by lane. */
    Map<Lane, Set<String>> topics();

    /**
     * Whether this event means anything to this service, whatever its state. Others share a topic with what it listens to;
     * they are counted as ignored and cost no row, no lock and no statement.
     */
    default boolean concerns(SpecificRecord event) {
        return true;
    }

    /**
     * The kinds of work orders that it carries decisions about out when it hears the language's command to. Of all others
     * the starter takes care.
     */
    default Set<String> workOrderKinds() {
        return Set.of();
    }

    /**
     * Reads and locks everything these events may touch, aggregates first, then shared rows, each sorted by key: one lock
     * order, no deadlocks. The number of statements does not depend on the number of events.
     */
    W load(Collection<ReceivedEvent> events);

    /**
     * Decides about one event and keeps the outcome in {@code world}.
     *
     * @return what to announce, in order; never null, often empty
     * @throws ImpossibleTransition before anything in {@code world} was changed
     */
    List<? extends SpecificRecord> react(ReceivedEvent event, W world);

    /** Writes what was changed. The number of statements does not depend on the number of events. */
    void save(W world);
}
