package dev.paysaga.saga.idempotency;

/** Judges a lease by the replica's own clock. */
final class OwnClockOffender {

    private OwnClockOffender() {}

    static boolean ended(long leasedUntilMillis) {
        return System.currentTimeMillis() > leasedUntilMillis;
    }
}
