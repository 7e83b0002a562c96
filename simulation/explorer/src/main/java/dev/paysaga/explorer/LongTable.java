package dev.paysaga.explorer;

/** Open addressing from a long, never 0, to an int. Holds tens of millions of entries where a HashMap would not. */
final class LongTable {

    static final int ABSENT = -1;

    private long[] keys = new long[1 << 12];
    private int[] values = new int[keys.length];
    private int size;

    int get(long key) {
        int slot = slot(key);
        return keys[slot] == key ? values[slot] : ABSENT;
    }

    void put(long key, int value) {
        int slot = slot(key);
        boolean isNew = keys[slot] != key;
        keys[slot] = key;
        values[slot] = value;
        if (isNew && ++size * 2 > keys.length) {
            grow();
        }
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) mix(key) & mask;
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }

    /** The finalizer of splitmix64: every bit of the key moves every bit of the result. */
    static long mix(long x) {
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }
}
