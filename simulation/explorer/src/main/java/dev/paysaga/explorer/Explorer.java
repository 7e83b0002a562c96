package dev.paysaga.explorer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Visits every world that can be reached, breadth first, so that the first violation has a shortest trace; or walks at
 * random through worlds too large for that.
 */
public final class Explorer {

    /** The name of a violation that no invariant has to state: an event met a state it cannot follow. */
    public static final String IMPOSSIBLE = "no event is impossible";

    /** The name of a violation of liveness. */
    public static final String LIVENESS = "every world can still settle";

    private final Choreography choreography;
    private final Worlds worlds;
    private final Words words;
    private final int[] moves = new int[1024];
    private int[] parents = new int[1 << 16];
    private int[] lastMoves = new int[1 << 16];
    private int count;
    private long tried, rests;

    private Explorer(Choreography choreography) {
        this.choreography = choreography;
        this.worlds = new Worlds(choreography);
        this.words = new Words(choreography, worlds);
    }

    /**
     * Explores exhaustively.
     *
     * @param mostStates gives up, not exhausted, when so many worlds were found
     */
    public static Exploration exhaust(Choreography choreography, int mostStates) {
        return new Explorer(choreography).breadthFirst(mostStates, null);
    }

    /** As {@link #exhaust}, and then demands that from every world a settled one can be reached. Needs more memory. */
    public static Exploration exhaustWithLiveness(Choreography choreography, int mostStates) {
        return new Explorer(choreography).breadthFirst(mostStates, new Edges());
    }

    /**
     * Walks at random, from the beginning to where nothing moves, again and again.
     *
     * @param seed the same seed walks the same ways
     * @param walks how many
     */
    public static Exploration walk(Choreography choreography, long seed, int walks) {
        return new Explorer(choreography).randomWalks(seed, walks);
    }

    private Exploration breadthFirst(int mostStates, @Nullable Edges edges) {
        long start = System.nanoTime();
        var seen = new LongTable();
        int[] first = worlds.first();
        worlds.sortSagas(first, null);
        List<int[]> frontier = List.of(first);
        seen.put(Worlds.hash(first), found(-1, 0));
        Violation violation = check(first, false);
        int depth = 0;
        boolean cut = false;
        int number = 0; // worlds are numbered in the order they are found, which is the order they are expanded in
        while (!frontier.isEmpty() && violation == null && !cut) {
            var next = new ArrayList<int[]>();
            depth++;
            for (int[] world : frontier) {
                int me = number++;
                int enabled = worlds.moves(world, moves);
                boolean atRest = true;
                for (int m = 0; m < enabled && violation == null; m++) {
                    atRest &= !worlds.bySystem(moves[m]);
                    tried++;
                    int[] after = worlds.after(world, moves[m]);
                    if (after == null) {
                        violation = violation(IMPOSSIBLE, worlds.impossible, me, moves[m]);
                        break;
                    }
                    worlds.sortSagas(after, null);
                    long hash = Worlds.hash(after);
                    int known = seen.get(hash);
                    if (known == LongTable.ABSENT) {
                        known = found(me, moves[m]);
                        seen.put(hash, known);
                        next.add(after);
                        String[] broken = broken(after, Invariant.When.ALWAYS);
                        if (broken != null) {
                            violation = violation(broken[0], broken[1], known, 0);
                        }
                    }
                    if (edges != null) {
                        edges.add(me, known);
                    }
                }
                if (violation == null && atRest) {
                    rests++;
                    String[] broken = broken(world, Invariant.When.AT_REST);
                    if (broken != null) {
                        violation = violation(broken[0], broken[1], me, 0);
                    }
                }
                if (edges != null && choreography.settled().test(worlds.view(world))) {
                    edges.settled(me);
                }
                if (violation != null || count >= mostStates) {
                    cut = violation == null;
                    break;
                }
            }
            frontier = next;
        }
        if (violation == null && !cut && edges != null) {
            int stranded = edges.firstThatCannotSettle(count);
            if (stranded >= 0) {
                violation = violation(LIVENESS, "no settled world can be reached from here", stranded, 0);
            }
        }
        return result(depth, start, violation == null && !cut, violation);
    }

    private Exploration result(int depth, long start, boolean exhausted, @Nullable Violation violation) {
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Exploration(
                count,
                tried,
                depth,
                rests,
                seconds,
                exhausted,
                violation,
                worlds.cells(),
                worlds.states(),
                worlds.events());
    }

    private int found(int parent, int move) {
        if (count == parents.length) {
            parents = Arrays.copyOf(parents, count * 2);
            lastMoves = Arrays.copyOf(lastMoves, count * 2);
        }
        parents[count] = parent;
        lastMoves[count] = move;
        return count++;
    }

    private @Nullable Violation check(int[] world, boolean atRest) {
        String[] broken = broken(world, atRest ? Invariant.When.AT_REST : Invariant.When.ALWAYS);
        return broken == null ? null : new Violation(broken[0], broken[1], List.of());
    }

    /** The name of the first broken invariant and what is wrong, or null. */
    private String @Nullable [] broken(int[] world, Invariant.When when) {
        View view = worlds.view(world);
        for (Invariant invariant : choreography.invariants()) {
            if (invariant.when() == when) {
                String wrong = invariant.check().violated(view);
                if (wrong != null) {
                    return new String[] {invariant.name(), wrong + " (" + words.of(world) + ")"};
                }
            }
        }
        return null;
    }

    /** Goes the shortest way to the world once more, to tell it in words. */
    private Violation violation(String name, String detail, int number, int lastMove) {
        var way = new ArrayDeque<Integer>();
        if (name.equals(IMPOSSIBLE)) {
            way.push(lastMove);
        }
        for (int i = number; parents[i] >= 0; i = parents[i]) {
            way.push(lastMoves[i]);
        }
        int[] world = worlds.first();
        int[] names = new int[choreography.sagas()];
        Arrays.setAll(names, i -> i);
        worlds.sortSagas(world, names);
        var trace = new ArrayList<String>();
        for (int move : way) {
            trace.add(words.of(world, move, names));
            int[] after = worlds.after(world, move);
            if (after == null) {
                break;
            }
            world = after;
            worlds.sortSagas(world, names);
        }
        return new Violation(name, detail, trace);
    }

    private Exploration randomWalks(long seed, int walks) {
        long start = System.nanoTime();
        var random = new SplittableRandom(seed);
        int deepest = 0;
        for (int walk = 0; walk < walks; walk++) {
            count++;
            var way = new ArrayList<Integer>();
            int[] world = worlds.first();
            while (true) {
                int enabled = worlds.moves(world, moves);
                if (enabled == 0) {
                    break;
                }
                int move = moves[random.nextInt(enabled)];
                way.add(move);
                tried++;
                if (fails(world, move)) {
                    return result(way.size(), start, false, told(shortened(way)));
                }
                int[] after = worlds.after(world, move);
                world = after == null ? world : after;
            }
            deepest = Math.max(deepest, way.size());
        }
        return result(deepest, start, false, null);
    }

    /** Whether this move leads to a violation. */
    private boolean fails(int[] world, int move) {
        int[] after = worlds.after(world, move);
        return after == null || wrongWith(after) != null;
    }

    private String @Nullable [] wrongWith(int[] world) {
        String[] broken = broken(world, Invariant.When.ALWAYS);
        if (broken == null && isAtRest(world)) {
            rests++;
            broken = broken(world, Invariant.When.AT_REST);
        }
        return broken;
    }

    private boolean isAtRest(int[] world) {
        int[] here = new int[moves.length];
        int enabled = worlds.moves(world, here);
        for (int m = 0; m < enabled; m++) {
            if (worlds.bySystem(here[m])) {
                return false;
            }
        }
        return true;
    }

    /** Leaves out every move without which the way still fails, until none is left to leave out. */
    private List<Integer> shortened(List<Integer> way) {
        List<Integer> shortest = way;
        boolean shorter = true;
        while (shorter) {
            shorter = false;
            for (int i = shortest.size() - 1; i >= 0; i--) {
                var without = new ArrayList<>(shortest);
                without.remove(i);
                if (replayFails(without)) {
                    shortest = without;
                    shorter = true;
                }
            }
        }
        return shortest;
    }

    private boolean replayFails(List<Integer> way) {
        int[] world = worlds.first();
        int[] here = new int[moves.length];
        for (int i = 0; i < way.size(); i++) {
            int enabled = worlds.moves(world, here);
            int move = way.get(i);
            if (Arrays.stream(here, 0, enabled).noneMatch(m -> m == move)) {
                return false;
            }
            int[] after = worlds.after(world, move);
            boolean last = i == way.size() - 1;
            if (after == null || wrongWith(after) != null) {
                return last;
            }
            world = after;
        }
        return false;
    }

    private Violation told(List<Integer> way) {
        int[] world = worlds.first();
        int[] names = new int[choreography.sagas()];
        Arrays.setAll(names, i -> i);
        var trace = new ArrayList<String>();
        for (int move : way) {
            trace.add(words.of(world, move, names));
            int[] after = worlds.after(world, move);
            if (after == null) {
                return new Violation(IMPOSSIBLE, worlds.impossible, trace);
            }
            world = after;
        }
        String[] broken = wrongWith(world);
        return broken == null
                ? new Violation("unknown", "the shortened walk no longer fails", trace)
                : new Violation(broken[0], broken[1], trace);
    }

    /** Who leads to whom, for liveness. */
    private static final class Edges {

        private int[] from = new int[1 << 16];
        private int[] to = new int[1 << 16];
        private int size;
        private final java.util.BitSet settled = new java.util.BitSet();

        void add(int a, int b) {
            if (size == from.length) {
                from = Arrays.copyOf(from, size * 2);
                to = Arrays.copyOf(to, size * 2);
            }
            from[size] = a;
            to[size++] = b;
        }

        void settled(int world) {
            settled.set(world);
        }

        /** Goes back from the settled worlds along all edges; the first world not met is stranded. */
        int firstThatCannotSettle(int worlds) {
            int[] start = new int[worlds + 1];
            for (int e = 0; e < size; e++) {
                start[to[e] + 1]++;
            }
            for (int w = 0; w < worlds; w++) {
                start[w + 1] += start[w];
            }
            int[] into = new int[size];
            int[] at = start.clone();
            for (int e = 0; e < size; e++) {
                into[at[to[e]]++] = from[e];
            }
            var reached = (java.util.BitSet) settled.clone();
            var queue = new ArrayDeque<Integer>();
            settled.stream().forEach(queue::add);
            while (!queue.isEmpty()) {
                int world = queue.poll();
                for (int e = start[world]; e < start[world + 1]; e++) {
                    if (!reached.get(into[e])) {
                        reached.set(into[e]);
                        queue.add(into[e]);
                    }
                }
            }
            int stranded = reached.nextClearBit(0);
            return stranded < worlds ? stranded : -1;
        }
    }
}
