package dev.paysaga.saga.outbox;

import org.jspecify.annotations.Nullable;

/**
 * Where the outbox finds the trace that runs now, for announcements whose cause had none, such as an HTTP call. A service
 * that traces declares a bean of this type.
 */
@FunctionalInterface
public interface CurrentTrace {

    /** W3C trace context of what runs on this thread; null if nothing is traced. */
    @Nullable
    String traceparent();
}
