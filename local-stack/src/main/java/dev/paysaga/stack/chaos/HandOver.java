package dev.paysaga.stack.chaos;

import java.time.Duration;

/**
 * How a stopping replica gave up the relay of its service, as the database saw it. Both times run from the request to stop.
 *
 * @param released when its lock was free
 * @param taken when another replica read the slot
 */
public record HandOver(Duration released, Duration taken) {}
