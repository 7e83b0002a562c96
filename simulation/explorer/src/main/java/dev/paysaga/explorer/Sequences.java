package dev.paysaga.explorer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Queues and inboxes as small numbers; number 0 is the empty one. Each way from one to the next is worked out once. */
final class Sequences {

    private record Key(int[] messages) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(messages, key.messages);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(messages);
        }
    }

    private final Interner<Key> interner = new Interner<>(1 << 28);
    private final LongTable longer = new LongTable();
    private final LongTable including = new LongTable();
    private final List<Integer> tails = new ArrayList<>();

    Sequences() {
        number(new int[0]);
    }

    int[] messages(int sequence) {
        return interner.value(sequence).messages();
    }

    int head(int sequence) {
        return messages(sequence)[0];
    }

    /** The sequence without its first message. */
    int tail(int sequence) {
        int known = tails.get(sequence);
        if (known < 0) {
            int[] all = messages(sequence);
            known = number(Arrays.copyOfRange(all, 1, all.length));
            tails.set(sequence, known);
        }
        return known;
    }

    /** The sequence with one more message at its end. */
    int followedBy(int sequence, int message) {
        long key = 1L << 60 | (long) sequence << 24 | message;
        int known = longer.get(key);
        if (known == LongTable.ABSENT) {
            int[] all = messages(sequence);
            int[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = message;
            known = number(more);
            longer.put(key, known);
        }
        return known;
    }

    /** The sequence with this message at its end, unless it is in it. */
    int endingWith(int sequence, int message) {
        return Arrays.stream(messages(sequence)).anyMatch(known -> known == message)
                ? sequence
                : followedBy(sequence, message);
    }

    /** The sorted sequence, as a set, with this message in it. */
    int including(int set, int message) {
        long key = 1L << 60 | (long) set << 24 | message;
        int known = including.get(key);
        if (known == LongTable.ABSENT) {
            known = contains(set, message) ? set : number(inserted(messages(set), message));
            including.put(key, known);
        }
        return known;
    }

    private boolean contains(int set, int message) {
        return Arrays.binarySearch(messages(set), message) >= 0;
    }

    /** The sequence of these messages, in this order. */
    int of(int[] messages) {
        return number(messages);
    }

    private static int[] inserted(int[] sorted, int message) {
        int[] more = Arrays.copyOf(sorted, sorted.length + 1);
        more[sorted.length] = message;
        Arrays.sort(more);
        return more;
    }

    private int number(int[] messages) {
        int number = interner.number(new Key(messages));
        if (number == tails.size()) {
            tails.add(-1);
        }
        return number;
    }
}
