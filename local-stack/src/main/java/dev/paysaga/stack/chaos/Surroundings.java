package dev.paysaga.stack.chaos;

import java.time.Duration;
import java.util.List;

/** What is around the processes of a system, and can be disturbed: links between them, and their clocks. */
public interface Surroundings extends AutoCloseable {

    /** Names of the links that can be cut, such as {@code order→kafka}. */
    List<String> links();

    /**
     * Lets nothing pass on a link, and tells nobody.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    void cut(String link);

    /** Lets everything pass again. */
    void mend(String link);

    /** Names of the links that can be made slow. */
    List<String> slowLinks();

    /**
     * Lets everything on a link take longer, in each direction.
     *
     * @param by zero for as fast as it can
     */
    void slow(String link, Duration by);

    /** Second replicas that can come and go, such as {@code order#2}. */
    List<String> replicas();

    /** Whether clocks can be moved here. */
    boolean hasClocks();

    /** Sets the wall clock of a process ahead or back from the true time, from its next start on. */
    void moveClock(String process, Duration by);

    /** What cannot be done here and why, a sentence each. */
    List<String> limits();

    /** Undoes what is not undone yet. */
    @Override
    void close();
}
