package dev.paysaga.saga.inbox;

import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkedEvent.Status;
import dev.paysaga.saga.parking.ParkingLot;
import dev.paysaga.saga.parking.Queue;
import dev.paysaga.saga.parking.Rehandler;
import dev.paysaga.wire.EventRoute;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Reacts to one whole Kafka poll in one transaction: inbox rows, new states, parked events and announcements commit together
 * or not at all, with a number of statements that does not depend on the number of events.
 *
 * <p>Everybody who handles events takes locks in one order:
 *
 * <ol>
 *   <li>the waiting rows of the events' queues, so that a redrive and what comes in behind it do not overtake each other;
 *   <li>the inbox rows, sorted by id. Two replicas that were given the same records meet here, before either has read any
 *       state: the second one waits for the first one's commit, then finds its events known. Were the states read first,
 *       the second one would decide upon what they were before the first one's commit, since rows that do not exist yet
 *       cannot be locked;
 *   <li>aggregates, then shared rows, each sorted by key ({@link Participant#load}).
 * </ol>
 *
 * <p>An event that is at fault by itself is parked, and the rest goes on. Whose fault a failure is, {@link Faults} tells.
 * A failed decision that was not announced as harmless, that is, anything but {@link ImpossibleTransition}, may have left
 * half a change behind; its transaction is thrown away, and the poll is handled again without that event. A failure that
 * names no event, as when saving fails, is narrowed down by halves.
 */
public final class Reactor<W> implements Rehandler {

    /** A surprise may have been a lost race. More often than this, it was none. */
    private static final int TRIES = 3;

    private static final String REMEMBER = """
            insert into inbox (consumer, event_id, topic)
            select ?, e.id, e.topic from unnest(?::uuid[], ?::text[]) e(id, topic)
            on conflict do nothing
            returning event_id
            """;

    private static final String FORGET = "delete from inbox where consumer = ? and event_id = any(?::uuid[])";

    private static final Logger log = LoggerFactory.getLogger(Reactor.class);

    private final String consumer;
    private final Participant<W> participant;
    private final RecordReader reader;
    private final JdbcOperations jdbc;
    private final TransactionOperations transaction;
    private final ParkingLot parkingLot;
    private final Outbox outbox;
    private final Counter applied;
    private final Counter duplicate;
    private final Counter parked;
    private final Counter ignored;
    private final Counter refused;

    Reactor(
            String consumer,
            Participant<W> participant,
            RecordReader reader,
            JdbcOperations jdbc,
            TransactionOperations transaction,
            ParkingLot parkingLot,
            Outbox outbox,
            MeterRegistry meters) {
        this.consumer = consumer;
        this.participant = participant;
        this.reader = reader;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.parkingLot = parkingLot;
        this.outbox = outbox;
        this.applied = outcome(meters, "applied");
        this.duplicate = outcome(meters, "duplicate");
        this.parked = outcome(meters, "parked");
        this.ignored = outcome(meters, "ignored");
        this.refused = Counter.builder("paysaga.transition.refused")
                .description("Events that could not follow the state they met")
                .register(meters);
    }

    private static Counter outcome(MeterRegistry meters, String outcome) {
        return Counter.builder("paysaga.inbox.events")
                .description("Events heard, by what came of them")
                .tag("outcome", outcome)
                .register(meters);
    }

    /**
     * Handles one poll, or fails as a whole with nothing done that would not be recognised when it is handled again.
     *
     * @throws RuntimeException if the surroundings are at fault: to be handled again later, from the same record on
     */
    public void handle(List<ConsumerRecord<byte[], byte[]>> poll) {
        var events = new ArrayList<Incoming>(poll.size());
        for (var received : poll) {
            Incoming event = reader.read(received);
            if (event.body() == null || participant.concerns(event.body())) {
                events.add(event);
            }
        }
        ignored.increment(poll.size() - events.size());
        if (!events.isEmpty()) {
            handle(events, new HashMap<>());
        }
    }

    /** The kinds of work orders that {@link #obey commands} decide about. */
    public Set<String> workOrderKinds() {
        return participant.workOrderKinds();
    }

    /**
     * Carries out a command that was given here and not over Kafka, in the caller's transaction, by the same reactions.
     *
     * @param id what it is the cause of derives from it; new for every command
     * @throws ImpossibleTransition if it cannot follow; the transaction is to be rolled back
     */
    public void obey(UUID id, SpecificRecord command, EventRoute route) {
        var received = new ReceivedEvent(id, command, route.topic(), route.aggregateId(), null);
        W world = participant.load(List.of(received));
        List<? extends SpecificRecord> events = participant.react(received, world);
        participant.save(world);
        outbox.append(new Announcement(id, events, null));
    }

    @Override
    public void rehandle(ParkedEvent waiting) {
        Incoming event = reader.read(waiting);
        if (event.unreadable() != null) {
            throw new StillUnreadable(event.unreadable());
        }
        if (participant.concerns(event.received().body())) {
            Batch batch = new Batch(Map.of());
            batch.react(remember(Map.of(event.id(), event)), Set.of());
            if (!batch.failures.isEmpty()) {
                throw asRuntime(batch.failures.values().iterator().next());
            }
            if (batch.refusal != null) {
                throw batch.refusal;
            }
            outbox.appendAll(batch.announcements);
        }
        applied.increment();
    }

    @Override
    public boolean isTransient(RuntimeException failure) {
        return !Faults.ofAnEvent(failure);
    }

    @Override
    public String reason(RuntimeException failure) {
        return failure instanceof StillUnreadable ? String.valueOf(failure.getMessage()) : Faults.reason(failure);
    }

    /** @param condemned the events known to be at fault, with the reason */
    private void handle(List<Incoming> events, Map<UUID, String> condemned) {
        var surprises = new HashMap<UUID, Integer>();
        for (int attempt = 1; ; attempt++) {
            try {
                Batch batch = new Batch(condemned);
                transaction.executeWithoutResult(status -> batch.handle(events));
                batch.count();
                return;
            } catch (Surprised e) {
                e.failures.forEach((id, failure) -> {
                    if (surprises.merge(id, 1, Integer::sum) == TRIES) {
                        log.error("The reaction to event {} fails unexpectedly", id, failure);
                        condemned.put(id, Faults.reason(failure));
                    }
                });
            } catch (RuntimeException e) {
                if (!Faults.ofAnEvent(e)) {
                    throw e;
                }
                if (attempt % TRIES == 0) {
                    narrowDown(events, condemned, e);
                    return;
                }
            }
        }
    }

    /** Loading or saving fails because of some event, nobody knows which. */
    private void narrowDown(List<Incoming> events, Map<UUID, String> condemned, RuntimeException failure) {
        if (events.size() > 1) {
            int half = events.size() / 2;
            handle(events.subList(0, half), condemned);
            handle(events.subList(half, events.size()), condemned);
            return;
        }
        UUID id = events.getFirst().id();
        if (condemned.containsKey(id)) {
            // Not even parking it works.
            throw failure;
        }
        log.error("Event {} cannot be handled", id, failure);
        condemned.put(id, Faults.reason(failure));
        handle(events, condemned);
    }

    /** Those that were not known, in the order of the given events. */
    private List<Incoming> remember(Map<UUID, Incoming> events) {
        UUID[] ids = events.keySet().stream().sorted().toArray(UUID[]::new);
        String[] topics = new String[ids.length];
        for (int i = 0; i < ids.length; i++) {
            topics[i] = Objects.requireNonNull(events.get(ids[i])).topic();
        }
        Set<UUID> fresh =
                new HashSet<>(jdbc.query(REMEMBER, (row, n) -> row.getObject(1, UUID.class), consumer, ids, topics));
        return events.values().stream()
                .filter(event -> fresh.contains(event.id()))
                .toList();
    }

    private static RuntimeException asRuntime(Throwable failure) {
        return failure instanceof RuntimeException e ? e : new IllegalStateException(failure.toString(), failure);
    }

    /** One attempt at a batch of events, in one transaction. */
    private final class Batch {

        private final Map<UUID, String> condemned;
        private final Map<UUID, Throwable> failures = new LinkedHashMap<>();
        private final List<Announcement> announcements = new ArrayList<>();
        private final List<ParkedEvent> toPark = new ArrayList<>();
        private final List<UUID> toForget = new ArrayList<>();
        private @Nullable ImpossibleTransition refusal;
        private List<ParkedEvent> newlyParked = List.of();
        private int heard;
        private int fresh;
        private int refusals;

        Batch(Map<UUID, String> condemned) {
            this.condemned = condemned;
        }

        void handle(List<Incoming> events) {
            heard = events.size();
            Set<Queue> waiting = parkingLot.lockWaiting(queues(events));
            react(remember(byId(events)), waiting);
            if (!failures.isEmpty()) {
                throw new Surprised(failures);
            }
            outbox.appendAll(announcements);
            if (!toPark.isEmpty()) {
                park();
            }
        }

        /** Decides in the order of the records. */
        void react(List<Incoming> events, Set<Queue> waiting) {
            fresh = events.size();
            Set<Queue> closed = new HashSet<>(waiting);
            List<ReceivedEvent> open = events.stream()
                    .filter(event -> isSound(event) && !waiting.contains(event.queue()))
                    .map(Incoming::received)
                    .toList();
            if (open.isEmpty()) {
                events.forEach(event -> setAside(event, closed));
                return;
            }
            W world = participant.load(open);
            for (Incoming event : events) {
                if (isSound(event) && !closed.contains(event.queue())) {
                    react(event, world, closed);
                } else {
                    setAside(event, closed);
                }
            }
            if (failures.isEmpty()) {
                participant.save(world);
            }
        }

        private void react(Incoming event, W world, Set<Queue> closed) {
            try {
                List<? extends SpecificRecord> events = participant.react(event.received(), world);
                if (!events.isEmpty()) {
                    announcements.add(new Announcement(event.id(), events, event.traceparent()));
                }
            } catch (ImpossibleTransition e) {
                refusal = e;
                refusals++;
                park(event, Faults.reason(e), closed);
            } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
                if (!Faults.ofAnEvent(e)) {
                    throw e;
                }
                failures.put(event.id(), e);
                if (event.hasKey()) {
                    closed.add(event.queue());
                }
            }
        }

        private boolean isSound(Incoming event) {
            return event.unreadable() == null && !condemned.containsKey(event.id());
        }

        private void setAside(Incoming event, Set<Queue> closed) {
            if (closed.contains(event.queue())) {
                toPark.add(event.parked(consumer, "behind a parked event of its key", Status.QUEUED));
                toForget.add(event.id());
            } else {
                String reason = event.unreadable() != null ? event.unreadable() : condemned.get(event.id());
                park(event, String.valueOf(reason), closed);
            }
        }

        private void park(Incoming event, String reason, Set<Queue> closed) {
            toPark.add(event.parked(consumer, reason, Status.PARKED));
            toForget.add(event.id());
            if (event.hasKey()) {
                closed.add(event.queue());
            }
        }

        /** A parked event has no inbox row: it did not take effect. */
        private void park() {
            newlyParked = parkingLot.park(toPark);
            jdbc.update(FORGET, consumer, toForget.toArray(UUID[]::new));
        }

        /** To be called when the transaction has committed. */
        void count() {
            ParkingLot.report(newlyParked);
            parked.increment(newlyParked.size());
            duplicate.increment(heard - fresh + toPark.size() - newlyParked.size());
            applied.increment(fresh - toPark.size());
            refused.increment(refusals);
        }

        private static List<Queue> queues(List<Incoming> events) {
            return events.stream()
                    .filter(Incoming::hasKey)
                    .map(Incoming::queue)
                    .distinct()
                    .toList();
        }

        /** The first of each id, in order: a poll may hold an event twice. */
        private static Map<UUID, Incoming> byId(List<Incoming> events) {
            var byId = new LinkedHashMap<UUID, Incoming>(events.size() * 2);
            events.forEach(event -> byId.putIfAbsent(event.id(), event));
            return byId;
        }
    }

    /** Reactions failed in ways they did not promise; what they may have left behind is rolled back. */
    private static final class Surprised extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Map<UUID, Throwable> failures;

        Surprised(Map<UUID, Throwable> failures) {
            super("reactions failed", null, false, false);
            this.failures = failures;
        }
    }

    /** A parked event that cannot be read is redriven in vain. */
    private static final class StillUnreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        StillUnreadable(String message) {
            super(message, null, false, false);
        }
    }
}
