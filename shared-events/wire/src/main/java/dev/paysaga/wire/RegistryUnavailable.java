package dev.paysaga.wire;

/** The schema registry gave no answer, or none that decides anything: to be retried for as long as it lasts. */
public final class RegistryUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1;

    RegistryUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
