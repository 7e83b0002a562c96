package dev.paysaga.saga.inbox;

/** Forward and compensating events have their own consumers, threads and connections, so that neither starves the other. */
public enum Lane {
    FORWARD,
    COMPENSATION;

    /**
     * Does this work with the lane's connections, for work that is the lane's and comes from no topic, such as what is due. A
     * transaction stays with the connection it began with, so call this around it.
     */
    public void run(Runnable work) {
        LaneDataSource.in(this, work);
    }
}
