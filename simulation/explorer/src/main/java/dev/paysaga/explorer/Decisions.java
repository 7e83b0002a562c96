package dev.paysaga.explorer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the participants decide. Each distinct question (event, local state, shared state) is put to them once; the answer
 * is remembered under a number, and so is what was exercised by asking.
 */
final class Decisions {

    /** An event on its way. Without ids, equal events are one message. */
    record Message(@Nullable UUID id, Object event) {}

    /** A topic as one listener hears it. */
    record Queue(String topic, int listener) {}

    /**
     * What came of a decision, in numbers.
     *
     * @param queues for each message, the queues it goes to
     */
    record Outcome(int local, int shared, int[] messages, int[][] queues) {}

    static final int IMPOSSIBLE = -2, NOT_NOW = -3;

    /** No local state: the command is about what all sagas share. */
    static final int NO_LOCAL = 0;

    private final Choreography choreography;
    private final List<Participant> participants;
    private final List<Queue> queues = new ArrayList<>();
    private final Interner<Object> values = new Interner<>(1 << 20);
    private final Interner<Message> messages = new Interner<>(Move.MOST_MESSAGES);
    private final List<Outcome> outcomes = new ArrayList<>();
    private final LongTable[] reactions;
    private final LongTable[] commands;

    /** What has been exercised, in words. */
    final Map<Cell, Set<String>> cells = new TreeMap<>();

    final Set<String> states = new TreeSet<>(), events = new TreeSet<>();

    /** Why the last impossible decision is impossible. */
    String why = "";

    Decisions(Choreography choreography) {
        this.choreography = choreography;
        this.participants = choreography.participants();
        for (int p = 0; p < participants.size(); p++) {
            for (String topic : new TreeSet<>(participants.get(p).hears())) {
                queues.add(new Queue(topic, p));
            }
        }
        if (choreography.sagas() > Move.MOST_SAGAS
                || queues.size() > Math.min(Move.MOST_PLACES, Integer.SIZE)
                || choreography.commands().size() > Move.MOST_PLACES) {
            throw new IllegalArgumentException("at most " + Move.MOST_SAGAS + " sagas, " + Integer.SIZE
                    + " topics heard and " + Move.MOST_PLACES + " commands can be explored");
        }
        values.number("no local state");
        reactions = tables(participants.size());
        commands = tables(choreography.commands().size());
    }

    private static LongTable[] tables(int count) {
        LongTable[] tables = new LongTable[count];
        Arrays.setAll(tables, i -> new LongTable());
        return tables;
    }

    List<Queue> queues() {
        return queues;
    }

    Object value(int number) {
        return values.value(number);
    }

    int number(Object value) {
        return values.number(value);
    }

    Message message(int number) {
        return messages.value(number);
    }

    Outcome outcome(int number) {
        return outcomes.get(number);
    }

    /** The number of what came of it, or {@link #IMPOSSIBLE}. */
    int reaction(int participant, int message, int local, int shared) {
        long key = 1L << 60 | (long) message << 40 | (long) local << 20 | shared;
        int known = reactions[participant].get(key);
        if (known == LongTable.ABSENT) {
            known = react(participant, messages.value(message), values.value(local), values.value(shared));
            reactions[participant].put(key, known);
        }
        return known;
    }

    private int react(int participant, Message message, Object local, Object shared) {
        Set<String> words = cells.computeIfAbsent(cell(participant, local, message.event()), cell -> new TreeSet<>());
        Step step;
        try {
            step = participants.get(participant).react(message.event(), local, shared);
        } catch (RuntimeException e) {
            words.add("impossible");
            return impossible(e);
        }
        words.add(words(participant, local, step));
        return remember(participant, step, message.id(), true);
    }

    /** The number of what came of it, {@link #IMPOSSIBLE} or {@link #NOT_NOW}. */
    int command(int number, int uses, int local, int shared) {
        long key = 1L << 60 | (long) uses << 40 | (long) local << 20 | shared;
        int known = commands[number].get(key);
        if (known == LongTable.ABSENT) {
            known = decide(
                    choreography.commands().get(number),
                    uses,
                    local == NO_LOCAL ? null : values.value(local),
                    values.value(shared));
            commands[number].put(key, known);
        }
        return known;
    }

    private int decide(Command command, int uses, @Nullable Object local, Object shared) {
        int participant = index(command.participant());
        Set<String> words = local == null
                ? new TreeSet<>()
                : cells.computeIfAbsent(
                        new Cell(
                                command.participant(),
                                participants.get(participant).label(local),
                                command.name()),
                        cell -> new TreeSet<>());
        Step step;
        try {
            step = command.decision().apply(local, shared);
        } catch (RuntimeException e) {
            return impossible(e);
        }
        if (step == null) {
            return NOT_NOW;
        }
        if (local != null) {
            words.add(words(participant, local, step));
        }
        UUID cause = UUID.nameUUIDFromBytes((command.name() + "/" + uses).getBytes(StandardCharsets.UTF_8));
        return remember(participant, step, cause, local != null);
    }

    private int impossible(RuntimeException e) {
        why = ", " + e.getClass().getSimpleName() + ": " + e.getMessage();
        return IMPOSSIBLE;
    }

    private int remember(int participant, Step step, @Nullable UUID cause, boolean ofOneSaga) {
        String producer = participants.get(participant).name();
        int[] announced = new int[step.events().size()];
        int[][] listeners = new int[announced.length][];
        for (int i = 0; i < announced.length; i++) {
            Object event = step.events().get(i);
            String type = choreography.typeOf().apply(event);
            events.add(type);
            EventId rule = choreography.eventId();
            UUID id = rule == null || cause == null ? null : rule.derive(cause, producer, type, i);
            announced[i] = messages.number(new Message(id, event));
            listeners[i] = queuesOf(event);
        }
        if (ofOneSaga) {
            enter(participant, step.local());
        }
        int local = ofOneSaga ? values.number(step.local()) : NO_LOCAL;
        outcomes.add(new Outcome(local, values.number(step.shared()), announced, listeners));
        return outcomes.size() - 1;
    }

    private int[] queuesOf(Object event) {
        String topic = choreography.topicOf().apply(event);
        return IntStream.range(0, queues.size())
                .filter(q -> queues.get(q).topic().equals(topic))
                .filter(q -> !participants.get(queues.get(q).listener()).passesBy(event))
                .toArray();
    }

    void enter(int participant, Object local) {
        states.add(participants.get(participant).name() + " "
                + participants.get(participant).label(local));
    }

    Cell cell(int participant, Object local, Object event) {
        Participant who = participants.get(participant);
        return new Cell(
                who.name(), who.label(local, event), choreography.typeOf().apply(event));
    }

    /** The new state, where it is another, and what is announced; empty if neither. */
    private String words(int participant, Object before, Step step) {
        String was = participants.get(participant).label(before);
        String is = participants.get(participant).label(step.local());
        var words = new ArrayList<String>();
        if (!is.equals(was)) {
            words.add(is);
        }
        step.events().forEach(event -> words.add(choreography.typeOf().apply(event)));
        return String.join(", ", words);
    }

    int index(String participant) {
        for (int p = 0; p < participants.size(); p++) {
            if (participants.get(p).name().equals(participant)) {
                return p;
            }
        }
        throw new IllegalArgumentException("no participant is called " + participant);
    }
}
