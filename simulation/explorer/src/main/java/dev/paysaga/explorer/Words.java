package dev.paysaga.explorer;

import java.util.List;

/** Worlds and moves in words, for traces. */
final class Words {

    private final Choreography choreography;
    private final Worlds worlds;

    Words(Choreography choreography, Worlds worlds) {
        this.choreography = choreography;
        this.worlds = worlds;
    }

    /** The move in words; {@code names} says what each saga was called at the start of the trace. */
    String of(int[] world, int move, int[] names) {
        int saga = Move.saga(move);
        int place = Move.place(move);
        String about = choreography.sagas() > 1 ? "[" + (names[saga] + 1) + "] " : "";
        return switch (Move.kind(move)) {
            case Move.DELIVER -> about + next(world, saga, place);
            case Move.PARK -> about + "park " + next(world, saga, place);
            case Move.REDRIVE -> about + "redrive " + next(world, saga, place);
            case Move.SKIP -> about + "skip " + next(world, saga, place);
            case Move.REDELIVER ->
                about + participant(place) + " <- " + type(worlds.event(Move.message(move)))
                        + " once more, forgotten by the inbox";
            case Move.REWIND ->
                about + listener(place) + " <- all again from "
                        + type(worlds.handled(world, saga, place, Move.message(move))) + " on, in "
                        + worlds.queues().get(place).topic();
            case Move.BEGIN -> about + "a second replica begins: " + next(world, saga, place);
            case Move.COMMIT ->
                about + "the second replica ends: " + listener(place) + " <- " + type(worlds.begun(world, saga));
            case Move.COMMAND -> about + choreography.commands().get(place).name();
            default -> choreography.commands().get(place).name();
        };
    }

    /** Who is where, and what is on its way. */
    String of(int[] world) {
        var text = new StringBuilder();
        for (int saga = 0; saga < choreography.sagas(); saga++) {
            text.append(saga > 0 ? "; " : "");
            List<Participant> participants = choreography.participants();
            for (int p = 0; p < participants.size(); p++) {
                text.append(p > 0 ? ", " : "").append(participant(p)).append(' ');
                text.append(participants.get(p).label(worlds.local(world, saga, p)));
            }
            for (int q = 0; q < worlds.queues().size(); q++) {
                for (Object event : worlds.waiting(world, saga, q)) {
                    text.append(", on its way to ")
                            .append(listener(q))
                            .append(": ")
                            .append(type(event));
                }
            }
        }
        return text.toString();
    }

    private String next(int[] world, int saga, int queue) {
        return listener(queue) + " <- "
                + type(worlds.waiting(world, saga, queue).getFirst());
    }

    private String listener(int queue) {
        return participant(worlds.queues().get(queue).listener());
    }

    private String participant(int number) {
        return choreography.participants().get(number).name();
    }

    private String type(Object event) {
        return choreography.typeOf().apply(event);
    }
}
