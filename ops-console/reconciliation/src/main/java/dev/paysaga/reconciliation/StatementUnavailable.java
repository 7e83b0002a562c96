package dev.paysaga.reconciliation;

/** A service did not state what it has written down, so nothing can be said about the system. */
public final class StatementUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1;

    StatementUnavailable(String message) {
        super(message);
    }

    StatementUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
