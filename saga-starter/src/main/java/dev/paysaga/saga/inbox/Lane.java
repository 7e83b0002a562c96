package dev.paysaga.saga.inbox;

/** Forward and compensating events have their own consumers, threads and connections, so that neither starves the other. */
public enum Lane {
    FORWARD,
    COMPENSATION
}
