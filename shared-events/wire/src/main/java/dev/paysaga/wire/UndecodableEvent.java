package dev.paysaga.wire;

import org.jspecify.annotations.Nullable;

/** These bytes are no event, and will be none tomorrow: to be parked, never retried. */
public final class UndecodableEvent extends RuntimeException {

    private static final long serialVersionUID = 1;

    UndecodableEvent(String message) {
        this(message, null);
    }

    UndecodableEvent(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
