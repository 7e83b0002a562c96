package dev.paysaga.order.domain;

import dev.paysaga.inventory.Trespasser;
import java.io.File;
import java.time.Instant;

/** Breaks what a domain must keep, so that the rules are seen to notice. */
public final class OffenderManager {

    final double price = 0.1;

    float tax(double amount) {
        System.out.println(Trespasser.class);
        return (float) (Instant.now().toEpochMilli() * amount * price);
    }

    File ledger() {
        return new File("ledger");
    }
}
