package dev.paysaga.stack.events;

/** A JSON object that is not the event it should be; the message names the field and what was expected. */
public final class WrongEvent extends RuntimeException {

    private static final long serialVersionUID = 1;

    WrongEvent(String message) {
        super(message);
    }
}
