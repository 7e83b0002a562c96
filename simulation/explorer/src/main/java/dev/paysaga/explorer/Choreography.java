package dev.paysaga.explorer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The world to explore: who takes part, what may happen, and what must hold.
 *
 * @param sagas how many sagas run at once; they are alike, so worlds that differ only by swapping them count once
 * @param participants the services
 * @param topicOf the topic an event is published to
 * @param typeOf an event's type, for ids, coverage and traces
 * @param eventId how an event's id follows from its cause: inboxes are then modelled, and an event whose id is known is
 *     dropped. Null: ids are taken to be unique, and worlds that differ in ids only count once (much smaller)
 * @param commands what happens from outside or by time
 * @param invariants what must be so
 * @param settled whether a view is as it should be in the end, for liveness
 * @param redeliveries how many events may be delivered again after the inbox forgot them
 * @param parkings how many healthy events may be set aside, to be redriven or skipped by a person later
 * @param rewinds how often a listener's place in a topic may be set back. With inboxes what comes again is known; without,
 *     they were purged before
 * @param overlaps how often a second replica may begin with an event that the first is about to handle, and end later
 * @param versions whether who has read what has changed since loses and decides again; as it must be
 */
public record Choreography(
        int sagas,
        List<Participant> participants,
        Function<Object, String> topicOf,
        Function<Object, String> typeOf,
        @Nullable EventId eventId,
        List<Command> commands,
        List<Invariant> invariants,
        Predicate<View> settled,
        int redeliveries,
        int parkings,
        int rewinds,
        int overlaps,
        boolean versions) {

    public Choreography {
        participants = List.copyOf(participants);
        commands = List.copyOf(commands);
        invariants = List.copyOf(invariants);
    }

    /** Starts a description with the usual answers: one saga, Java class names as types, no faults. */
    public static Builder of(List<? extends Participant> participants) {
        return new Builder(List.copyOf(participants));
    }

    /** The same without versions: what two replicas decide at once, both write. To see that it is noticed. */
    public Choreography withoutVersions() {
        return new Choreography(
                sagas,
                participants,
                topicOf,
                typeOf,
                eventId,
                commands,
                invariants,
                settled,
                redeliveries,
                parkings,
                rewinds,
                overlaps,
                false);
    }

    /** Collects the parts of a {@link Choreography}. */
    public static final class Builder {

        private final List<Participant> participants;
        private final List<Command> commands = new ArrayList<>();
        private final List<Invariant> invariants = new ArrayList<>();
        private int sagas = 1;
        private Function<Object, String> topicOf = event -> "events";
        private Function<Object, String> typeOf = event -> event.getClass().getSimpleName();
        private @Nullable EventId eventId;
        private Predicate<View> settled = view -> true;
        private int redeliveries;
        private int parkings;
        private int rewinds;
        private int overlaps;

        private Builder(List<Participant> participants) {
            this.participants = participants;
        }

        public Builder sagas(int sagas) {
            this.sagas = sagas;
            return this;
        }

        public Builder topicOf(Function<Object, String> topicOf) {
            this.topicOf = topicOf;
            return this;
        }

        public Builder typeOf(Function<Object, String> typeOf) {
            this.typeOf = typeOf;
            return this;
        }

        public Builder eventId(EventId eventId) {
            this.eventId = eventId;
            return this;
        }

        public Builder command(Command command) {
            commands.add(command);
            return this;
        }

        public Builder invariant(Invariant invariant) {
            invariants.add(invariant);
            return this;
        }

        public Builder settled(Predicate<View> settled) {
            this.settled = settled;
            return this;
        }

        public Builder redeliveries(int times) {
            this.redeliveries = times;
            return this;
        }

        public Builder parkings(int times) {
            this.parkings = times;
            return this;
        }

        public Builder rewinds(int times) {
            this.rewinds = times;
            return this;
        }

        public Builder overlaps(int times) {
            this.overlaps = times;
            return this;
        }

        public Choreography build() {
            return new Choreography(
                    sagas,
                    participants,
                    topicOf,
                    typeOf,
                    eventId,
                    commands,
                    invariants,
                    settled,
                    redeliveries,
                    parkings,
                    rewinds,
                    overlaps,
                    true);
        }
    }
}
