package dev.paysaga.explorer;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays a trace again, line by line, as {@link Violation#asTest} prints it. */
public final class Replay {

    private final Choreography choreography;
    private final Worlds worlds;
    private final Words words;
    private int[] world;
    private @Nullable String wrong;

    private Replay(Choreography choreography) {
        this.choreography = choreography;
        this.worlds = new Worlds(choreography);
        this.words = new Words(choreography, worlds);
        this.world = worlds.first();
    }

    public static Replay of(Choreography choreography) {
        return new Replay(choreography);
    }

    /**
     * Makes the moves, one a line. The delivery of an event that is no longer sent is passed over, and so is a command that
     * is refused now: that is what a mended choreography looks like.
     *
     * @throws IllegalArgumentException if a line is neither; says what can happen in its place
     */
    public Replay play(String trace) {
        trace.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            if (!move(line) && !line.contains(" <- ") && !isCommand(line)) {
                throw new IllegalArgumentException("\"" + line + "\" cannot happen here; what can: " + possible());
            }
        });
        return this;
    }

    /**
     * Makes one move.
     *
     * @throws IllegalArgumentException if it cannot happen here; says what can
     */
    public void mustPlay(String line) {
        if (!move(line)) {
            throw new IllegalArgumentException("\"" + line + "\" cannot happen here; what can: " + possible());
        }
    }

    /** The world as it stands. */
    public View view() {
        return worlds.view(world);
    }

    /** Fails with a sentence if the trace led to a violation. */
    public void mustHold() {
        if (wrong != null) {
            throw new AssertionError(wrong);
        }
    }

    /** What the trace led to: null, or the violation in words. */
    public @Nullable String outcome() {
        return wrong;
    }

    private boolean isCommand(String line) {
        return choreography.commands().stream().anyMatch(command -> line.endsWith(command.name()));
    }

    private boolean move(String line) {
        int[] moves = new int[1024];
        int enabled = worlds.moves(world, moves);
        int index = possible().indexOf(line);
        if (index < 0 || index >= enabled) {
            return false;
        }
        int[] after = worlds.after(world, moves[index]);
        if (after == null) {
            wrong = Explorer.IMPOSSIBLE + ": " + worlds.impossible;
            return true;
        }
        world = after;
        View view = worlds.view(world);
        for (Invariant invariant : choreography.invariants()) {
            String broken = invariant.check().violated(view);
            if (wrong == null && broken != null && (invariant.when() == Invariant.When.ALWAYS || atRest())) {
                wrong = invariant.name() + ": " + broken;
            }
        }
        return true;
    }

    private List<String> possible() {
        int[] moves = new int[1024];
        int[] names = new int[choreography.sagas()];
        Arrays.setAll(names, i -> i);
        int enabled = worlds.moves(world, moves);
        return Arrays.stream(moves, 0, enabled)
                .mapToObj(move -> words.of(world, move, names))
                .toList();
    }

    private boolean atRest() {
        int[] moves = new int[1024];
        int enabled = worlds.moves(world, moves);
        return Arrays.stream(moves, 0, enabled).noneMatch(worlds::bySystem);
    }
}
