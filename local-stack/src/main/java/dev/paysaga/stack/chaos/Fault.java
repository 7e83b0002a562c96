package dev.paysaga.stack.chaos;

/** What can be done to a running system. */
public enum Fault {
    /** SIGKILL; the process stays away for a while, then it is started again. */
    KILL("killed"),
    /** SIGSTOP, and SIGCONT after a while: nothing closes a connection, nobody answers. */
    PAUSE("paused"),
    /** Asked to stop, and started again. */
    RESTART("restarted"),
    /** Every connection to a database is ended by the server, the relay's too. */
    CUT_CONNECTIONS("connections cut");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    /** What has happened to the target, such as {@code killed}. */
    public String words() {
        return words;
    }
}
