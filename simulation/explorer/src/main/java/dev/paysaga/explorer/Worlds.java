package dev.paysaga.explorer;

import dev.paysaga.explorer.Command.Origin;
import dev.paysaga.explorer.Command.Scope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The worlds of a choreography as arrays of small numbers, and the moves between them.
 *
 * <p>A world has a block for each saga (local states, what was handled, one queue for each topic and listener, which of
 * them are parked) and a block for what is shared. Kafka keeps the order within a topic's key and none between topics, so
 * each (topic, listener, saga) is a queue of its own and any queue may move next. The decisions are production's own:
 * each distinct (event, local, shared) is computed once and remembered.
 */
final class Worlds {

    /** An event on its way. Without ids, equal events are one message. */
    private record Message(@Nullable UUID id, Object event) {}

    private record Outcome(int local, int shared, int[] messages, int[][] queues) {}

    private record Queue(String topic, int listener) {}

    private static final int DELIVER = 0,
            REDELIVER = 1,
            COMMAND = 2,
            SHARED_COMMAND = 3,
            PARK = 4,
            REDRIVE = 5,
            SKIP = 6;
    private static final int IMPOSSIBLE = -2, NOT_NOW = -3;

    private final Choreography choreography;
    private final List<Participant> participants;
    private final List<Queue> queues = new ArrayList<>();
    private final Interner<Object> values = new Interner<>();
    private final Interner<Message> messages = new Interner<>();
    private final Sequences sequences = new Sequences();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final LongTable[] reactions;
    private final LongTable[] decisions;
    private final boolean alike;

    // Layout: saga blocks first, then the shared block.
    private final int handledAt, queuesAt, parkedAt, skippedAt, usesAt, block;
    private final int sharedAt, redeliveriesAt, parkingsAt, sharedUsesAt, length;

    /** What has been exercised: cells, states and events, in words. */
    final Map<Cell, Set<String>> cells = new TreeMap<>();

    final Set<String> states = new TreeSet<>(), events = new TreeSet<>();

    /** What the last impossible move was about, and why it is impossible. */
    String impossible = "", why = "";

    Worlds(Choreography choreography) {
        this.choreography = choreography;
        this.participants = choreography.participants();
        for (int p = 0; p < participants.size(); p++) {
            for (String topic : new TreeSet<>(participants.get(p).hears())) {
                queues.add(new Queue(topic, p));
            }
        }
        int n = participants.size();
        handledAt = n;
        queuesAt = handledAt + n;
        parkedAt = queuesAt + queues.size();
        skippedAt = parkedAt + 1;
        usesAt = skippedAt + 1;
        block = usesAt + choreography.commands().size();
        sharedAt = block * choreography.sagas();
        redeliveriesAt = sharedAt + n;
        parkingsAt = redeliveriesAt + 1;
        sharedUsesAt = parkingsAt + 1;
        length = sharedUsesAt + choreography.commands().size();
        reactions = tables(n);
        decisions = tables(choreography.commands().size());
        alike = IntStream.range(0, choreography.sagas())
                        .mapToObj(saga ->
                                participants.stream().map(p -> p.start(saga)).toList())
                        .distinct()
                        .count()
                == 1;
    }

    private static LongTable[] tables(int count) {
        LongTable[] tables = new LongTable[count];
        Arrays.setAll(tables, i -> new LongTable(true));
        return tables;
    }

    int[] first() {
        int[] world = new int[length];
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            for (int p = 0; p < participants.size(); p++) {
                world[saga * block + p] = values.number(participants.get(p).start(saga));
                enter(p, participants.get(p).start(saga));
            }
        }
        for (int p = 0; p < participants.size(); p++) {
            world[sharedAt + p] = values.number(participants.get(p).shared());
        }
        world[redeliveriesAt] = choreography.redeliveries();
        world[parkingsAt] = choreography.parkings();
        return world;
    }

    // ---- moves: kind, saga, place (queue, participant or command), message, packed into an int ----

    private static int move(int kind, int saga, int place, int message) {
        return kind << 29 | saga << 26 | place << 20 | message;
    }

    private static int kind(int move) {
        return move >>> 29;
    }

    private static int saga(int move) {
        return move >>> 26 & 7;
    }

    private static int place(int move) {
        return move >>> 20 & 63;
    }

    private static int message(int move) {
        return move & 0xFFFFF;
    }

    /** Every move that may happen here, into {@code moves}; returns how many. */
    int moves(int[] world, int[] moves) {
        int count = 0;
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            int at = saga * block;
            for (int q = 0; q < queues.size(); q++) {
                if (world[at + queuesAt + q] == 0) {
                    continue;
                }
                if ((world[at + parkedAt] >> q & 1) == 0) {
                    moves[count++] = move(DELIVER, saga, q, 0);
                    if (world[parkingsAt] > 0) {
                        moves[count++] = move(PARK, saga, q, 0);
                    }
                } else {
                    moves[count++] = move(REDRIVE, saga, q, 0);
                    moves[count++] = move(SKIP, saga, q, 0);
                }
            }
            if (world[redeliveriesAt] > 0) {
                for (int p = 0; p < participants.size(); p++) {
                    for (int message : sequences.messages(world[at + handledAt + p])) {
                        if (!changesNothing(world, at, p, message)) {
                            moves[count++] = move(REDELIVER, saga, p, message);
                        }
                    }
                }
            }
            for (int c = 0; c < choreography.commands().size(); c++) {
                Command command = choreography.commands().get(c);
                if (command.scope() == Scope.ONE_SAGA
                        && world[at + usesAt + c] < command.times()
                        && (command.origin() != Origin.AFTER_A_SKIP || world[at + skippedAt] != 0)
                        && decision(world, saga, c) != NOT_NOW) {
                    moves[count++] = move(COMMAND, saga, c, 0);
                }
            }
        }
        for (int c = 0; c < choreography.commands().size(); c++) {
            Command command = choreography.commands().get(c);
            if (command.scope() == Scope.SHARED
                    && world[sharedUsesAt + c] < command.times()
                    && decision(world, -1, c) != NOT_NOW) {
                moves[count++] = move(SHARED_COMMAND, 0, c, 0);
            }
        }
        return count;
    }

    /** Whether the system makes this move by itself sooner or later. */
    boolean bySystem(int move) {
        return switch (kind(move)) {
            case DELIVER -> true;
            case COMMAND, SHARED_COMMAND ->
                choreography.commands().get(place(move)).origin() == Origin.SYSTEM;
            default -> false;
        };
    }

    /** The world after the move, or null if a participant finds the event impossible. */
    int @Nullable [] after(int[] before, int move) {
        int[] world = before.clone();
        int at = saga(move) * block;
        int place = place(move);
        switch (kind(move)) {
            case DELIVER -> {
                if (!deliver(world, at, place)) {
                    return null;
                }
            }
            case REDRIVE -> {
                world[at + parkedAt] &= ~(1 << place);
                if (!deliver(world, at, place)) {
                    return null;
                }
            }
            case REDELIVER -> {
                world[redeliveriesAt]--;
                if (!react(world, at, place, message(move))) {
                    return null;
                }
                if (world[redeliveriesAt] == 0 && choreography.eventId() == null) {
                    forgetWhatWasHandled(world);
                }
            }
            case COMMAND -> {
                int outcome = decision(world, saga(move), place);
                if (outcome == IMPOSSIBLE) {
                    impossible = choreography.commands().get(place).name() + why;
                    return null;
                }
                world[at + usesAt + place]++;
                become(world, at, participantOf(place), outcome);
            }
            case SHARED_COMMAND -> {
                int outcome = decision(world, -1, place);
                world[sharedUsesAt + place]++;
                world[sharedAt + participantOf(place)] = outcomes.get(outcome).shared();
            }
            case PARK -> {
                world[parkingsAt]--;
                world[at + parkedAt] |= 1 << place;
            }
            case SKIP -> {
                world[at + parkedAt] &= ~(1 << place);
                world[at + skippedAt] = 1;
                take(world, at, place);
            }
            default -> throw new IllegalStateException("no such move: " + move);
        }
        return world;
    }

    private boolean deliver(int[] world, int at, int queue) {
        int listener = queues.get(queue).listener();
        int message = take(world, at, queue);
        if (choreography.eventId() != null && inboxKnows(world[at + handledAt + listener], message)) {
            return true;
        }
        if (!react(world, at, listener, message)) {
            return false;
        }
        if (choreography.eventId() != null || world[redeliveriesAt] > 0) {
            world[at + handledAt + listener] = sequences.including(world[at + handledAt + listener], message);
        }
        return true;
    }

    /** An inbox compares ids, not events: two events with one id are one to it. */
    private boolean inboxKnows(int handled, int message) {
        UUID id = messages.value(message).id();
        for (int known : sequences.messages(handled)) {
            if (Objects.equals(messages.value(known).id(), id)) {
                return true;
            }
        }
        return false;
    }

    private int take(int[] world, int at, int queue) {
        int waiting = world[at + queuesAt + queue];
        world[at + queuesAt + queue] = sequences.tail(waiting);
        return sequences.head(waiting);
    }

    /** Once nothing can be redelivered, it no longer matters what was handled. */
    private void forgetWhatWasHandled(int[] world) {
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            Arrays.fill(world, saga * block + handledAt, saga * block + queuesAt, 0);
        }
    }

    /** A redelivery that changes nothing only wastes one: whatever can follow it can happen without it. */
    private boolean changesNothing(int[] world, int at, int participant, int message) {
        int reaction = reaction(world, at, participant, message);
        if (reaction == IMPOSSIBLE) {
            return false;
        }
        Outcome o = outcomes.get(reaction);
        return o.messages().length == 0
                && o.local() == world[at + participant]
                && o.shared() == world[sharedAt + participant];
    }

    private boolean react(int[] world, int at, int participant, int message) {
        int outcome = reaction(world, at, participant, message);
        if (outcome == IMPOSSIBLE) {
            impossible = cell(
                            participant,
                            values.value(world[at + participant]),
                            messages.value(message).event())
                    + why;
            return false;
        }
        become(world, at, participant, outcome);
        return true;
    }

    private int reaction(int[] world, int at, int participant, int message) {
        long key =
                1L << 60 | (long) message << 40 | (long) world[at + participant] << 20 | world[sharedAt + participant];
        int outcome = reactions[participant].get(key);
        if (outcome == LongTable.ABSENT) {
            outcome = computeReaction(world, at, participant, messages.value(message));
            reactions[participant].put(key, outcome);
        }
        return outcome;
    }

    private int computeReaction(int[] world, int at, int participant, Message message) {
        Object local = values.value(world[at + participant]);
        Set<String> outcomes =
                cells.computeIfAbsent(cell(participant, local, message.event()), cell -> new TreeSet<>());
        Step step;
        try {
            step = participants
                    .get(participant)
                    .react(message.event(), local, values.value(world[sharedAt + participant]));
        } catch (RuntimeException e) {
            outcomes.add("impossible");
            return impossible(e);
        }
        outcomes.add(outcome(participant, local, step));
        return remember(participant, step, message.id(), true);
    }

    private int impossible(RuntimeException e) {
        why = ", " + e.getClass().getSimpleName() + ": " + e.getMessage();
        return IMPOSSIBLE;
    }

    private int decision(int[] world, int saga, int c) {
        Command command = choreography.commands().get(c);
        int participant = participantOf(c);
        int local = saga < 0 ? 0 : world[saga * block + participant];
        int uses = saga < 0 ? world[sharedUsesAt + c] : world[saga * block + usesAt + c];
        long key = 1L << 60 | (long) uses << 40 | (long) local << 20 | world[sharedAt + participant];
        int outcome = decisions[c].get(key);
        if (outcome == LongTable.ABSENT) {
            outcome = computeDecision(
                    command, uses, saga < 0 ? null : values.value(local), values.value(world[sharedAt + participant]));
            decisions[c].put(key, outcome);
        }
        return outcome;
    }

    private int computeDecision(Command command, int uses, @Nullable Object local, Object shared) {
        int participant = index(command.participant());
        Set<String> outcomes = local == null
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
            outcomes.add(outcome(participant, local, step));
        }
        UUID cause = UUID.nameUUIDFromBytes((command.name() + "/" + uses).getBytes(StandardCharsets.UTF_8));
        return remember(participant, step, cause, local != null);
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
        int local = ofOneSaga ? values.number(step.local()) : 0;
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

    private void become(int[] world, int at, int participant, int outcome) {
        Outcome o = outcomes.get(outcome);
        world[at + participant] = o.local();
        world[sharedAt + participant] = o.shared();
        for (int i = 0; i < o.messages().length; i++) {
            for (int q : o.queues()[i]) {
                if (participants.get(queues.get(q).listener()).onlyListens()) {
                    world[at + queuesAt + q] = sequences.followedBy(0, o.messages()[i]);
                    deliver(world, at, q);
                } else {
                    world[at + queuesAt + q] = sequences.followedBy(world[at + queuesAt + q], o.messages()[i]);
                }
            }
        }
    }

    private int participantOf(int command) {
        return index(choreography.commands().get(command).participant());
    }

    private void enter(int participant, Object local) {
        states.add(participants.get(participant).name() + " "
                + participants.get(participant).label(local));
    }

    private Cell cell(int participant, Object local, Object event) {
        Participant who = participants.get(participant);
        return new Cell(
                who.name(), who.label(local, event), choreography.typeOf().apply(event));
    }

    /** The new state, where it is another, and what is announced, in words; empty if neither. */
    private String outcome(int participant, Object before, Step step) {
        String was = participants.get(participant).label(before);
        String is = participants.get(participant).label(step.local());
        var words = new ArrayList<String>();
        if (!is.equals(was)) {
            words.add(is);
        }
        step.events().forEach(event -> words.add(choreography.typeOf().apply(event)));
        return String.join(", ", words);
    }

    // ---- canonical form, hash, words ----

    /** Sagas are alike: sorts their blocks, so that worlds that differ by a swap are one; {@code names} follows. */
    void sortSagas(int[] world, int @Nullable [] names) {
        if (!alike) {
            return;
        }
        for (int i = 1; i < choreography.sagas(); i++) {
            for (int j = i; j > 0 && compareBlocks(world, j - 1, j) > 0; j--) {
                for (int k = 0; k < block; k++) {
                    int swapped = world[(j - 1) * block + k];
                    world[(j - 1) * block + k] = world[j * block + k];
                    world[j * block + k] = swapped;
                }
                if (names != null) {
                    int swapped = names[j - 1];
                    names[j - 1] = names[j];
                    names[j] = swapped;
                }
            }
        }
    }

    private int compareBlocks(int[] world, int a, int b) {
        return Arrays.compare(world, a * block, (a + 1) * block, world, b * block, (b + 1) * block);
    }

    /** 64 bits, never 0. Two of ten million worlds collide with a probability of about 3 in a million. */
    static long hash(int[] world) {
        long h = world.length;
        for (int word : world) {
            h = Long.rotateLeft((h ^ word) * 0x9e3779b97f4a7c15L, 31);
        }
        long mixed = LongTable.mix(h);
        return mixed == 0 ? 1 : mixed;
    }

    /** The move in words; {@code names} says what each saga was called at the start of the trace. */
    String words(int[] world, int move, int[] names) {
        int at = saga(move) * block;
        String saga = choreography.sagas() > 1 ? "[" + (names[saga(move)] + 1) + "] " : "";
        return switch (kind(move)) {
            case DELIVER -> saga + heard(world, at, place(move));
            case PARK -> saga + "park " + heard(world, at, place(move));
            case REDRIVE -> saga + "redrive " + heard(world, at, place(move));
            case SKIP -> saga + "skip " + heard(world, at, place(move));
            case REDELIVER ->
                saga + participants.get(place(move)).name() + " <- "
                        + choreography
                                .typeOf()
                                .apply(messages.value(message(move)).event()) + " once more, forgotten by the inbox";
            case COMMAND -> saga + choreography.commands().get(place(move)).name();
            default -> choreography.commands().get(place(move)).name();
        };
    }

    private String heard(int[] world, int at, int queue) {
        int message = sequences.head(world[at + queuesAt + queue]);
        return participants.get(queues.get(queue).listener()).name() + " <- "
                + choreography.typeOf().apply(messages.value(message).event());
    }

    View view(int[] world) {
        return new View() {
            @Override
            public int sagas() {
                return choreography.sagas();
            }

            @Override
            @SuppressWarnings("unchecked")
            public <T> T local(int saga, String participant) {
                return (T) values.value(world[saga * block + index(participant)]);
            }

            @Override
            @SuppressWarnings("unchecked")
            public <T> T shared(String participant) {
                return (T) values.value(world[sharedAt + index(participant)]);
            }

            @Override
            public boolean isParked(int saga) {
                return world[saga * block + parkedAt] != 0;
            }

            @Override
            public boolean wasSkipped(int saga) {
                return world[saga * block + skippedAt] != 0;
            }

            @Override
            public boolean inFlight(int saga) {
                for (int q = 0; q < queues.size(); q++) {
                    if (world[saga * block + queuesAt + q] != 0) {
                        return true;
                    }
                }
                return false;
            }
        };
    }

    private int index(String participant) {
        for (int p = 0; p < participants.size(); p++) {
            if (participants.get(p).name().equals(participant)) {
                return p;
            }
        }
        throw new IllegalArgumentException("no participant is called " + participant);
    }

    String describe(int[] world) {
        var text = new StringBuilder();
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            text.append(saga > 0 ? "; " : "");
            for (int p = 0; p < participants.size(); p++) {
                Object local = values.value(world[saga * block + p]);
                text.append(p > 0 ? ", " : "")
                        .append(participants.get(p).name())
                        .append(' ')
                        .append(participants.get(p).label(local));
            }
            for (int q = 0; q < queues.size(); q++) {
                for (int message : sequences.messages(world[saga * block + queuesAt + q])) {
                    text.append(", on its way to ")
                            .append(participants.get(queues.get(q).listener()).name())
                            .append(": ")
                            .append(choreography
                                    .typeOf()
                                    .apply(messages.value(message).event()));
                }
            }
        }
        return text.toString();
    }
}
