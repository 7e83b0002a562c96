package dev.paysaga.stack;

import dev.paysaga.inventory.Trespasser;

/** Runs a service in its own process. */
final class Offender {

    Trespasser service() {
        return new Trespasser();
    }
}
