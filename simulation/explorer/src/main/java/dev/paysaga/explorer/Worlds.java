package dev.paysaga.explorer;

import static dev.paysaga.explorer.Decisions.IMPOSSIBLE;
import static dev.paysaga.explorer.Decisions.NOT_NOW;
import static dev.paysaga.explorer.Decisions.NO_LOCAL;

import dev.paysaga.explorer.Command.Origin;
import dev.paysaga.explorer.Command.Scope;
import dev.paysaga.explorer.Decisions.Outcome;
import dev.paysaga.explorer.Decisions.Queue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The worlds of a choreography as arrays of small numbers, and the moves between them.
 *
 * <p>A world has a block for each saga (local states, what was handled, one queue for each topic and listener, which of
 * them are parked, what a second replica has begun) and a block for what is shared. Kafka keeps the order within a topic's
 * key and none between topics, so each (topic, listener, saga) is a queue of its own and any queue may move next.
 */
final class Worlds {

    private final Choreography choreography;
    private final Decisions decisions;
    private final List<Participant> participants;
    private final List<Queue> queues;
    private final Sequences sequences = new Sequences();
    private final int[] commandTo;
    private final boolean alike;

    // Layout: saga blocks first, then the shared block.
    private final int handledAt, queuesAt, parkedAt, skippedAt, usesAt, begunAt, block;
    private final int sharedAt, redeliveriesAt, parkingsAt, rewindsAt, overlapsAt, sharedUsesAt, length;

    /** What the last impossible move was about, and why it is impossible. */
    String impossible = "";

    Worlds(Choreography choreography) {
        this.choreography = choreography;
        this.decisions = new Decisions(choreography);
        this.participants = choreography.participants();
        this.queues = decisions.queues();
        int n = participants.size();
        int commands = choreography.commands().size();
        handledAt = n;
        queuesAt = handledAt + n;
        parkedAt = queuesAt + queues.size();
        skippedAt = parkedAt + 1;
        usesAt = skippedAt + 1;
        begunAt = usesAt + commands;
        block = begunAt + (choreography.overlaps() > 0 ? 4 : 0);
        sharedAt = block * choreography.sagas();
        redeliveriesAt = sharedAt + n;
        parkingsAt = redeliveriesAt + 1;
        rewindsAt = parkingsAt + 1;
        overlapsAt = rewindsAt + 1;
        sharedUsesAt = overlapsAt + 1;
        length = sharedUsesAt + commands;
        commandTo = choreography.commands().stream()
                .mapToInt(command -> decisions.index(command.participant()))
                .toArray();
        alike = IntStream.range(0, choreography.sagas())
                        .mapToObj(saga ->
                                participants.stream().map(p -> p.start(saga)).toList())
                        .distinct()
                        .count()
                == 1;
    }

    int[] first() {
        int[] world = new int[length];
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            for (int p = 0; p < participants.size(); p++) {
                world[saga * block + p] = decisions.number(participants.get(p).start(saga));
                decisions.enter(p, participants.get(p).start(saga));
            }
        }
        for (int p = 0; p < participants.size(); p++) {
            world[sharedAt + p] = decisions.number(participants.get(p).shared());
        }
        world[redeliveriesAt] = choreography.redeliveries();
        world[parkingsAt] = choreography.parkings();
        world[rewindsAt] = choreography.rewinds();
        world[overlapsAt] = choreography.overlaps();
        return world;
    }

    // ---- which moves there are ----

    /** Every move that may happen here, into {@code moves}; returns how many. */
    int moves(int[] world, int[] moves) {
        int count = 0;
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            count = deliveries(world, saga, moves, count);
            count = repetitions(world, saga, moves, count);
            for (int c = 0; c < commandTo.length; c++) {
                if (mayHappen(world, saga, c)) {
                    moves[count++] = Move.of(Move.COMMAND, saga, c, 0);
                }
            }
        }
        for (int c = 0; c < commandTo.length; c++) {
            Command command = choreography.commands().get(c);
            if (command.scope() == Scope.SHARED
                    && world[sharedUsesAt + c] < command.times()
                    && command(world, -1, c) != NOT_NOW) {
                moves[count++] = Move.of(Move.SHARED_COMMAND, 0, c, 0);
            }
        }
        return count;
    }

    private int deliveries(int[] world, int saga, int[] moves, int before) {
        int count = before;
        int at = saga * block;
        for (int q = 0; q < queues.size(); q++) {
            if (world[at + queuesAt + q] == 0) {
                continue;
            }
            if ((world[at + parkedAt] >> q & 1) == 0) {
                moves[count++] = Move.of(Move.DELIVER, saga, q, 0);
                if (world[parkingsAt] > 0) {
                    moves[count++] = Move.of(Move.PARK, saga, q, 0);
                }
                if (world[overlapsAt] > 0 && world[at + begunAt] == 0) {
                    moves[count++] = Move.of(Move.BEGIN, saga, q, 0);
                }
            } else {
                moves[count++] = Move.of(Move.REDRIVE, saga, q, 0);
                moves[count++] = Move.of(Move.SKIP, saga, q, 0);
            }
        }
        if (choreography.overlaps() > 0 && world[at + begunAt] != 0) {
            moves[count++] = Move.of(Move.COMMIT, saga, world[at + begunAt] - 1, 0);
        }
        return count;
    }

    private int repetitions(int[] world, int saga, int[] moves, int before) {
        int count = before;
        int at = saga * block;
        if (world[redeliveriesAt] > 0) {
            for (int p = 0; p < participants.size(); p++) {
                for (int message : sequences.messages(world[at + handledAt + p])) {
                    if (!changesNothing(world, at, p, message)) {
                        moves[count++] = Move.of(Move.REDELIVER, saga, p, message);
                    }
                }
            }
        }
        if (world[rewindsAt] > 0) {
            for (int q = 0; q < queues.size(); q++) {
                int handled = handledFrom(world, at, q).length;
                for (int offset = 0; offset < handled; offset++) {
                    moves[count++] = Move.of(Move.REWIND, saga, q, offset);
                }
            }
        }
        return count;
    }

    private boolean mayHappen(int[] world, int saga, int c) {
        Command command = choreography.commands().get(c);
        int at = saga * block;
        return command.scope() == Scope.ONE_SAGA
                && world[at + usesAt + c] < command.times()
                && (command.origin() != Origin.AFTER_A_SKIP || world[at + skippedAt] != 0)
                && command(world, saga, c) != NOT_NOW;
    }

    /** Whether the system makes this move by itself sooner or later. */
    boolean bySystem(int move) {
        return switch (Move.kind(move)) {
            case Move.DELIVER, Move.COMMIT -> true;
            case Move.COMMAND, Move.SHARED_COMMAND ->
                choreography.commands().get(Move.place(move)).origin() == Origin.SYSTEM;
            default -> false;
        };
    }

    // ---- what they lead to ----

    /** The world after the move, or null if a participant finds the event impossible. */
    int @Nullable [] after(int[] before, int move) {
        int[] world = before.clone();
        int at = Move.saga(move) * block;
        int place = Move.place(move);
        boolean possible = switch (Move.kind(move)) {
            case Move.DELIVER -> deliver(world, at, place);
            case Move.REDELIVER -> redeliver(world, at, place, Move.message(move));
            case Move.REWIND -> rewind(world, at, place, Move.message(move));
            case Move.BEGIN -> begin(world, at, place);
            case Move.COMMIT -> commit(world, at, place);
            case Move.COMMAND -> obey(world, Move.saga(move), place);
            case Move.SHARED_COMMAND -> {
                world[sharedAt + commandTo[place]] =
                        decisions.outcome(command(world, -1, place)).shared();
                world[sharedUsesAt + place]++;
                yield true;
            }
            case Move.PARK -> {
                world[parkingsAt]--;
                world[at + parkedAt] |= 1 << place;
                yield true;
            }
            case Move.REDRIVE -> {
                world[at + parkedAt] &= ~(1 << place);
                yield deliver(world, at, place);
            }
            case Move.SKIP -> {
                world[at + parkedAt] &= ~(1 << place);
                world[at + skippedAt] = 1;
                take(world, at, place);
                yield true;
            }
            default -> throw new IllegalStateException("no such move: " + move);
        };
        return possible ? world : null;
    }

    private boolean deliver(int[] world, int at, int queue) {
        return handle(world, at, queues.get(queue).listener(), take(world, at, queue));
    }

    /** Handles a message once: what the inbox knows is dropped. */
    private boolean handle(int[] world, int at, int listener, int message) {
        int handled = world[at + handledAt + listener];
        if (choreography.eventId() != null && inboxKnows(handled, message)) {
            return true;
        }
        if (!react(world, at, listener, message)) {
            return false;
        }
        if (choreography.rewinds() > 0) {
            world[at + handledAt + listener] = sequences.endingWith(handled, message);
        } else if (choreography.eventId() != null || world[redeliveriesAt] > 0) {
            world[at + handledAt + listener] = sequences.including(handled, message);
        }
        return true;
    }

    /** An inbox compares ids, not events: two events with one id are one to it. */
    private boolean inboxKnows(int handled, int message) {
        UUID id = decisions.message(message).id();
        for (int known : sequences.messages(handled)) {
            if (Objects.equals(decisions.message(known).id(), id)) {
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

    private boolean redeliver(int[] world, int at, int participant, int message) {
        world[redeliveriesAt]--;
        if (!react(world, at, participant, message)) {
            return false;
        }
        if (world[redeliveriesAt] == 0 && choreography.eventId() == null && choreography.rewinds() == 0) {
            for (int saga = 0; saga < choreography.sagas(); saga++) { // it no longer matters what was handled
                Arrays.fill(world, saga * block + handledAt, saga * block + queuesAt, 0);
            }
        }
        return true;
    }

    /** A redelivery that changes nothing only wastes one: whatever can follow it can happen without it. */
    private boolean changesNothing(int[] world, int at, int participant, int message) {
        int reaction = decisions.reaction(participant, message, world[at + participant], world[sharedAt + participant]);
        if (reaction == IMPOSSIBLE) {
            return false;
        }
        Outcome o = decisions.outcome(reaction);
        return o.messages().length == 0
                && o.local() == world[at + participant]
                && o.shared() == world[sharedAt + participant];
    }

    /** The listener's place in the topic is set back: what it has heard since comes again, in order, before all else. */
    private boolean rewind(int[] world, int at, int queue, int offset) {
        int[] handled = handledFrom(world, at, queue);
        int[] again = Arrays.copyOfRange(handled, offset, handled.length);
        int[] waiting = Arrays.stream(sequences.messages(world[at + queuesAt + queue]))
                .filter(message -> Arrays.stream(handled).noneMatch(known -> known == message))
                .toArray();
        world[rewindsAt]--;
        world[at + queuesAt + queue] = sequences.of(
                IntStream.concat(Arrays.stream(again), Arrays.stream(waiting)).toArray());
        return true;
    }

    /** What the queue's listener has handled of its topic, in order. */
    private int[] handledFrom(int[] world, int at, int queue) {
        Queue from = queues.get(queue);
        return Arrays.stream(sequences.messages(world[at + handledAt + from.listener()]))
                .filter(message -> choreography
                        .topicOf()
                        .apply(decisions.message(message).event())
                        .equals(from.topic()))
                .toArray();
    }

    /** A second replica reads the same record and the same states. */
    private boolean begin(int[] world, int at, int queue) {
        int listener = queues.get(queue).listener();
        world[overlapsAt]--;
        world[at + begunAt] = queue + 1;
        world[at + begunAt + 1] = sequences.head(world[at + queuesAt + queue]);
        world[at + begunAt + 2] = world[at + listener];
        world[at + begunAt + 3] = world[sharedAt + listener];
        return true;
    }

    /**
     * The second replica comes to its end. If what it read has changed, its versions are old: it loses, and decides again
     * from what is there now.
     */
    private boolean commit(int[] world, int at, int queue) {
        int listener = queues.get(queue).listener();
        int message = world[at + begunAt + 1];
        int read = decisions.reaction(listener, message, world[at + begunAt + 2], world[at + begunAt + 3]);
        Arrays.fill(world, at + begunAt, at + block, 0);
        if (!choreography.versions() && read != IMPOSSIBLE) {
            become(world, at, listener, read);
            return true;
        }
        int waiting = world[at + queuesAt + queue];
        if (waiting != 0 && sequences.head(waiting) == message && (world[at + parkedAt] >> queue & 1) == 0) {
            take(world, at, queue);
        }
        return handle(world, at, listener, message);
    }

    private boolean obey(int[] world, int saga, int command) {
        int outcome = command(world, saga, command);
        if (outcome == IMPOSSIBLE) {
            impossible = choreography.commands().get(command).name() + decisions.why;
            return false;
        }
        world[saga * block + usesAt + command]++;
        become(world, saga * block, commandTo[command], outcome);
        return true;
    }

    private boolean react(int[] world, int at, int participant, int message) {
        int outcome = decisions.reaction(participant, message, world[at + participant], world[sharedAt + participant]);
        if (outcome == IMPOSSIBLE) {
            impossible = decisions.cell(
                            participant,
                            decisions.value(world[at + participant]),
                            decisions.message(message).event())
                    + decisions.why;
            return false;
        }
        become(world, at, participant, outcome);
        return true;
    }

    private int command(int[] world, int saga, int command) {
        int participant = commandTo[command];
        return decisions.command(
                command,
                saga < 0 ? world[sharedUsesAt + command] : world[saga * block + usesAt + command],
                saga < 0 ? NO_LOCAL : world[saga * block + participant],
                world[sharedAt + participant]);
    }

    private void become(int[] world, int at, int participant, int outcome) {
        Outcome o = decisions.outcome(outcome);
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

    // ---- canonical form and hash ----

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

    // ---- for those who look at it ----

    Map<Cell, Set<String>> cells() {
        return decisions.cells;
    }

    Set<String> states() {
        return decisions.states;
    }

    Set<String> events() {
        return decisions.events;
    }

    Object local(int[] world, int saga, int participant) {
        return decisions.value(world[saga * block + participant]);
    }

    Object shared(int[] world, int participant) {
        return decisions.value(world[sharedAt + participant]);
    }

    boolean isParked(int[] world, int saga) {
        return world[saga * block + parkedAt] != 0;
    }

    boolean wasSkipped(int[] world, int saga) {
        return world[saga * block + skippedAt] != 0;
    }

    boolean inFlight(int[] world, int saga) {
        for (int q = 0; q < queues.size(); q++) {
            if (world[saga * block + queuesAt + q] != 0) {
                return true;
            }
        }
        return false;
    }

    /** What waits in a queue, first come first. */
    List<Object> waiting(int[] world, int saga, int queue) {
        return Arrays.stream(sequences.messages(world[saga * block + queuesAt + queue]))
                .mapToObj(message -> decisions.message(message).event())
                .toList();
    }

    /** The event that a redelivery repeats. */
    Object event(int message) {
        return decisions.message(message).event();
    }

    /** What was heard from the queue's topic at this place. */
    Object handled(int[] world, int saga, int queue, int offset) {
        return event(handledFrom(world, saga * block, queue)[offset]);
    }

    /** What a second replica has begun with. */
    Object begun(int[] world, int saga) {
        return event(world[saga * block + begunAt + 1]);
    }

    List<Queue> queues() {
        return queues;
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
                return (T) Worlds.this.local(world, saga, decisions.index(participant));
            }

            @Override
            @SuppressWarnings("unchecked")
            public <T> T shared(String participant) {
                return (T) Worlds.this.shared(world, decisions.index(participant));
            }

            @Override
            public boolean isParked(int saga) {
                return Worlds.this.isParked(world, saga);
            }

            @Override
            public boolean wasSkipped(int saga) {
                return Worlds.this.wasSkipped(world, saga);
            }

            @Override
            public boolean inFlight(int saga) {
                return Worlds.this.inFlight(world, saga);
            }
        };
    }
}
