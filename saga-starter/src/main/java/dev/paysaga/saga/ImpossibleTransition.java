package dev.paysaga.saga;

/**
 * An event that cannot follow the present state: a bug in some service, never a business outcome.
 *
 * <p>Thrown by a decision before it has changed anything, so that the rest of its batch can go on. Never retried: the
 * event is parked, with everything behind it on its key.
 */
public final class ImpossibleTransition extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * @param state the present state, in words a person on call understands
     * @param event the event that cannot follow it
     */
    public ImpossibleTransition(Object state, Object event) {
        super(event + " cannot follow " + state);
    }
}
