package dev.paysaga.saga.relay;

import java.time.Duration;

/**
 * How far the relay is behind. It is known from proofs that everything up to some moment has been relayed; between two proofs,
 * and when no more come, it grows with the clock, so that a relay that stands still never looks like one with nothing to do.
 */
final class RelayLag {

    private record Proof(long upTo, long travelled, long next) {}

    private volatile Proof last;

    /** Nothing is known yet; the clock runs from now. */
    RelayLag() {
        long now = System.nanoTime();
        this.last = new Proof(now, 0, 0);
    }

    /**
     * Everything up to then has been relayed.
     *
     * @param upTo in {@link System#nanoTime}
     * @param untilNext when to expect the next proof; until then its absence means nothing
     */
    void proven(long upTo, Duration untilNext) {
        last = new Proof(upTo, System.nanoTime() - upTo, untilNext.toNanos());
    }

    double seconds() {
        Proof proof = last;
        long sinceThen = System.nanoTime() - proof.upTo() - proof.next();
        return Math.max(sinceThen, proof.travelled()) / 1e9;
    }
}
