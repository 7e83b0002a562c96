package dev.paysaga.saga.parking;

/** Handles a parked event as if it had come now. */
public interface Rehandler {

    /**
     * Handles one event within the caller's transaction; an event that took effect before changes nothing.
     *
     * @throws RuntimeException if it cannot be handled; the transaction is to be rolled back
     */
    void rehandle(ParkedEvent parked);

    /** Whether trying again later may help, with nothing changed but the time. */
    boolean isTransient(RuntimeException failure);

    /** Why an event could not be handled, in plain words. */
    String reason(RuntimeException failure);
}
