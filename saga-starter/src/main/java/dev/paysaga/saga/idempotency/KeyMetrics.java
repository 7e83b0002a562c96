package dev.paysaga.saga.idempotency;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** How often keys were met again. */
final class KeyMetrics {

    private final Counter first;
    private final Counter replayed;
    private final Counter inProgress;
    private final Counter mismatch;
    private final Counter takeover;

    KeyMetrics(MeterRegistry registry) {
        this.first = outcome(registry, "first");
        this.replayed = outcome(registry, "replayed");
        this.inProgress = outcome(registry, "in_progress");
        this.mismatch = outcome(registry, "mismatch");
        this.takeover = outcome(registry, "takeover");
        Gauge.builder("paysaga.idempotency.hit.ratio", this, KeyMetrics::hitRatio)
                .description("Requests answered from a stored answer, of all with a key, since this process started")
                .register(registry);
    }

    void count(Claim claim) {
        (switch (claim) {
                    case Claim.Granted granted -> granted.takenOver() ? takeover : first;
                    case Claim.Finished finished -> replayed;
                    case Claim.InProgress busy -> inProgress;
                    case Claim.OtherRequest other -> mismatch;
                })
                .increment();
    }

    private double hitRatio() {
        double all = first.count() + replayed.count() + inProgress.count() + mismatch.count() + takeover.count();
        return all == 0 ? 0 : replayed.count() / all;
    }

    private static Counter outcome(MeterRegistry registry, String outcome) {
        return Counter.builder("paysaga.idempotency.requests")
                .description("Requests with an Idempotency-Key, by what the key was found to be")
                .tag("outcome", outcome)
                .register(registry);
    }
}
