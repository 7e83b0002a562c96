package dev.paysaga.saga.relay;

/** What this replica does about the outbox. */
public enum RelayState {
    /** Not started, or stopped. */
    STOPPED,
    /** Another replica relays; this one waits to take over. */
    FOLLOWER,
    /** It has the lock and gets the change stream going. */
    STARTING,
    /** It relays. */
    LEADER,
    /** It failed and will try again; the reason is in {@link OutboxRelay#problem()}. */
    FAILED
}
