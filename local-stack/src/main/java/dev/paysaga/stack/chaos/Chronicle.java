package dev.paysaga.stack.chaos;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What was done to the system, and when. */
final class Chronicle {

    /** One line of it. */
    record Entry(Instant at, String what) {}

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    void note(String what) {
        entries.add(new Entry(Instant.now(), what));
    }

    List<Entry> entries() {
        return entries;
    }
}
