package dev.paysaga.explorer;

/** A world as an invariant sees it. Valid only during the check. */
public interface View {

    int sagas();

    /** The named participant's state of one saga. */
    <T> T local(int saga, String participant);

    /** The named participant's shared state. */
    <T> T shared(String participant);

    /** Whether an event of this saga is parked: nothing can be said of it until a person redrives or skips it. */
    boolean isParked(int saga);

    /** Whether an event of this saga was skipped: a person has a work order for it. */
    boolean wasSkipped(int saga);

    /** Whether anything of this saga is on its way. */
    boolean inFlight(int saga);
}
