package dev.paysaga.simulation;

import dev.paysaga.explorer.Choreography;
import dev.paysaga.explorer.Command;
import dev.paysaga.explorer.EventId;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import dev.paysaga.saga.EventIds;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The saga with one safeguard taken away, and the smallest world in which that must be noticed.
 *
 * @param safeguard what was taken away, in words
 * @param mechanics what carries events, states and decisions
 */
record Mutant(
        String safeguard,
        PaymentWorld world,
        UnaryOperator<Participant> participants,
        UnaryOperator<Command> commands,
        EventId eventId,
        UnaryOperator<Choreography> mechanics) {

    /** A reaction that looks at event and state first, and may answer in the real one's place. */
    @FunctionalInterface
    interface Reaction {

        /** What it does instead; null where the real reaction stands. */
        @Nullable
        Step react(Object event, Object local, Object shared, Participant real);
    }

    static Mutant without(String safeguard, PaymentWorld world, String participant, Reaction reaction) {
        return new Mutant(
                safeguard,
                world,
                real -> real.name().equals(participant) ? new Altered(real, reaction) : real,
                UnaryOperator.identity(),
                EventIds::derive,
                UnaryOperator.identity());
    }

    /** With other event ids. */
    static Mutant withIds(String safeguard, PaymentWorld world, EventId eventId) {
        return new Mutant(
                safeguard,
                world,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                eventId,
                UnaryOperator.identity());
    }

    /** With other mechanics. */
    static Mutant with(String safeguard, PaymentWorld world, UnaryOperator<Choreography> mechanics) {
        return new Mutant(
                safeguard, world, UnaryOperator.identity(), UnaryOperator.identity(), EventIds::derive, mechanics);
    }

    Mutant andCommand(String name, Command.Decision decision) {
        UnaryOperator<Command> replaced = command -> command.name().equals(name)
                ? new Command(
                        command.name(),
                        command.participant(),
                        command.times(),
                        command.scope(),
                        command.origin(),
                        decision)
                : command;
        return new Mutant(safeguard, world, participants, replaced, eventId, mechanics);
    }

    Mutant and(String participant, Reaction reaction) {
        UnaryOperator<Participant> both = real -> {
            Participant first = participants.apply(real);
            return real.name().equals(participant) ? new Altered(first, reaction) : first;
        };
        return new Mutant(safeguard, world, both, commands, eventId, mechanics);
    }

    @Override
    public String toString() {
        return safeguard;
    }

    Choreography choreography() {
        return mechanics.apply(world.choreography(participants, commands, eventId));
    }

    private record Altered(Participant real, Reaction reaction) implements Participant {

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public Set<String> hears() {
            return real.hears();
        }

        @Override
        public boolean passesBy(Object event) {
            return real.passesBy(event);
        }

        @Override
        public boolean onlyListens() {
            return real.onlyListens();
        }

        @Override
        public Object start(int saga) {
            return real.start(saga);
        }

        @Override
        public Object shared() {
            return real.shared();
        }

        @Override
        public Step react(Object event, Object local, Object shared) {
            Step instead = reaction.react(event, local, shared, real);
            return instead == null ? real.react(event, local, shared) : instead;
        }

        @Override
        public String label(Object local) {
            return real.label(local);
        }

        @Override
        public String label(Object local, Object event) {
            return real.label(local, event);
        }
    }
}
