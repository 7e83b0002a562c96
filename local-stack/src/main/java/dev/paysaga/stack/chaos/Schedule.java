package dev.paysaga.stack.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Which fault comes when, and to whom: the same for the same seed.
 *
 * <p>Kinds and targets are drawn like lots from an urn that is filled again when it is empty, not thrown like dice: so a run
 * of three minutes has each kind of fault, and a run of an hour has hit every process in every way.
 */
public final class Schedule {

    /** Long enough for a process to start on a busy machine: nobody is hit again while still down from the last fault. */
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Random random;
    private final Map<Fault, List<String>> targets;
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Map<Fault, Deque<String>> urns = new EnumMap<>(Fault.class);
    private final Map<String, Duration> restingUntil = new HashMap<>();

    private Schedule(long seed, Map<Fault, List<String>> targets) {
        // Its algorithm is part of Java's specification: a seed means the same on every machine, in every version.
        this.random = new Random(seed);
        this.targets = targets;
    }

    /**
     * The faults of a run in the order of their times.
     *
     * @param length of the load; every fault is over by then
     * @param interval between the beginnings of two faults
     * @param targets whom each kind may hit, by kind; a kind without targets does not occur
     */
    public static List<Injection> of(long seed, Duration length, Duration interval, Map<Fault, List<String>> targets) {
        var present = new EnumMap<Fault, List<String>>(Fault.class);
        targets.forEach((fault, whom) -> {
            if (!whom.isEmpty()) {
                present.put(fault, List.copyOf(whom));
            }
        });
        var schedule = new Schedule(seed, present);
        var injections = new ArrayList<Injection>();
        for (Duration at = interval; at.compareTo(length) < 0 && !present.isEmpty(); at = at.plus(interval)) {
            Injection next = schedule.next(at, length.minus(at));
            if (next != null) {
                injections.add(next);
            }
        }
        return List.copyOf(injections);
    }

    private @Nullable Injection next(Duration at, Duration left) {
        if (faults.isEmpty()) {
            faults.addAll(shuffled(targets.keySet().stream().sorted().toList()));
        }
        Fault fault = faults.removeFirst();
        String target = target(fault, at);
        if (target == null) {
            return null;
        }
        Duration lasting = lasting(fault);
        if (lasting.compareTo(left) > 0) {
            lasting = left;
        }
        restingUntil.put(target, at.plus(lasting).plus(GRACE));
        return new Injection(at, fault, target, lasting);
    }

    private @Nullable String target(Fault fault, Duration at) {
        List<String> all = targets.getOrDefault(fault, List.of());
        Deque<String> urn = urns.computeIfAbsent(fault, kind -> new ArrayDeque<>());
        if (urn.isEmpty()) {
            urn.addAll(shuffled(all));
        }
        for (String target : List.copyOf(urn)) {
            if (restingUntil.getOrDefault(target, Duration.ZERO).compareTo(at) <= 0) {
                urn.remove(target);
                return target;
            }
        }
        return null;
    }

    private Duration lasting(Fault fault) {
        return switch (fault) {
            case KILL -> milliseconds(0, 6_000);
            // Short pauses are noticed by nobody, long ones by everybody: both have their own ways to go wrong.
            case PAUSE -> random.nextBoolean() ? milliseconds(200, 3_000) : milliseconds(5_000, 15_000);
            case DELAY -> milliseconds(5_000, 15_000);
            // Long enough that sessions and leases run out now and then.
            case PARTITION -> random.nextBoolean() ? milliseconds(500, 4_000) : milliseconds(10_000, 25_000);
            case FULL_DISK -> milliseconds(2_000, 12_000);
            case REPLICA -> milliseconds(20_000, 40_000);
            case CLOCK -> milliseconds(30_000, 50_000);
            case RESTART, CUT_CONNECTIONS, REPLAY, REWIND -> Duration.ZERO;
        };
    }

    private Duration milliseconds(int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least + 1));
    }

    private <T> List<T> shuffled(List<T> all) {
        var copy = new ArrayList<>(all);
        Collections.shuffle(copy, random);
        return copy;
    }
}
