package dev.paysaga.account.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a refund that was refused is tried again.
 *
 * @param now by the database's clock
 * @param pauses after the first, second… refusal; the attempt after the last pause is the last one
 */
public record AttemptPolicy(Instant now, List<Duration> pauses) {

    /** Three attempts in all (the contract's number), then a person decides: a block is lifted within a minute or not soon. */
    public static final List<Duration> THREE_ATTEMPTS = List.of(Duration.ofSeconds(5), Duration.ofSeconds(30));

    public AttemptPolicy {
        pauses = List.copyOf(pauses);
    }

    /** Three attempts. */
    public static AttemptPolicy at(Instant now) {
        return new AttemptPolicy(now, THREE_ATTEMPTS);
    }

    /**
     * When the next attempt is due.
     *
     * @param refusals so far, at least 1
     * @return null if there is none
     */
    @Nullable
    Instant nextAfter(int refusals) {
        return refusals > pauses.size() ? null : now.plus(pauses.get(refusals - 1));
    }
}
