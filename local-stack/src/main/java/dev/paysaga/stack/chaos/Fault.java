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
    CUT_CONNECTIONS("connections ended"),
    /** Everything between a service and its database or the broker takes longer. */
    DELAY("slow"),
    /** Nothing passes between a service and its database or the broker, and nobody is told. */
    PARTITION("cut off"),
    /** A database has no room for another outbox row. */
    FULL_DISK("out of disk"),
    /** Records that a topic has are published to it once more, byte for byte. */
    REPLAY("published again"),
    /** A service is stopped, its consumers are set back in every partition, and it is started again. */
    REWIND("read again"),
    /** A further replica of a service comes, and is killed after a while; or one is killed and comes back after a while. */
    REPLICA("added or taken away"),
    /** A service is started with a wall clock that is minutes ahead or behind, and after a while with the true one. */
    CLOCK("with a wrong clock");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    /** What has happened to the target, such as {@code killed}. */
    public String words() {
        return words;
    }
}
