package dev.paysaga.saga.idempotency;

import java.util.UUID;

/** What became of the wish to handle a request. */
sealed interface Claim {

    /**
     * The request is ours to handle.
     *
     * @param token proves it when we are done
     * @param takenOver whether a former holder's lease had ended
     */
    record Granted(UUID token, boolean takenOver) implements Claim {}

    /** The same request is being handled by somebody else. */
    record InProgress() implements Claim {}

    /** The same request was handled. */
    record Finished(Answer answer) implements Claim {}

    /** The key belongs to another request. */
    record OtherRequest() implements Claim {}
}
