package dev.paysaga.stack.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One process of the stack: how it is prepared, started and known to be ready.
 */
interface Member {

    /** What the person at the terminal calls it: {@code order}, {@code account#2}, {@code order-db}. */
    String name();

    /** Every port it will listen on. The first is the one that users connect to. */
    List<Ports.Port> ports();

    /** Names of the members that must be ready before this one is started. */
    List<String> needs();

    /** Whatever must be done before each start: unpack, format, clear what a crash left. */
    Command prepare();

    /** Asks once, quickly. Not ready is false, never an exception. */
    boolean ready();

    /** What is done once it is ready and before others use it, such as making databases; done again at every start. */
    default void complete() {}

    /** The signal that asks it to stop in good order. */
    default String stopSignal() {
        return "TERM";
    }

    /**
     * What to run.
     *
     * @param environment added to the environment of the command line
     */
    record Command(List<String> words, Map<String, String> environment, Path directory) {}
}
