package dev.paysaga.stack.processes;

/** Something the person at the terminal must know: the message is all there is to see, in plain words, with the way out. */
public final class StackFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param message what happened, to which process, and what to do next */
    public StackFailure(String message) {
        super(message);
    }

    /**
     * @param message what happened, to which process, and what to do next
     * @param cause shown only with {@code PAYSAGA_DEBUG} set
     */
    public StackFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
