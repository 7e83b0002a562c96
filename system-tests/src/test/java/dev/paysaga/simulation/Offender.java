package dev.paysaga.simulation;

import dev.paysaga.inventory.Trespasser;

/** Simulates the shell instead of the decisions. */
final class Offender {

    Trespasser shell() {
        return new Trespasser();
    }
}
