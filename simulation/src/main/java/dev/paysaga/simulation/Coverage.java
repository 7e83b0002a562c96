package dev.paysaga.simulation;

import dev.paysaga.explorer.Cell;
import dev.paysaga.explorer.Choreography;
import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was exercised in some worlds, all of them explored to their ends.
 *
 * @param cells every state that met an event or a command, with all that came of it
 * @param states every state that was entered
 * @param events every type of event that was announced
 */
record Coverage(Map<Cell, Set<String>> cells, Set<String> states, Set<String> events) {

    private static final PaymentWorld ONE = PaymentWorld.ofOneOrder();

    /** Together they reach every cell that can be reached at all. */
    static final List<PaymentWorld> WORLDS = List.of(
            ONE.canceled().refunds(2).restocked().blocked().redelivered(1),
            ONE.canceled().refunds(1).restocked().redelivered(2),
            ONE.units(0).canceled().redelivered(1),
            ONE.wallet(0).canceled().redelivered(1),
            ONE.canceled().refunds(2).restocked().blocked().parked(1),
            ONE.canceled().refunds(1).merchantBlocked(),
            ONE.refunds(1).blocked().merchantBlocked(),
            ONE.canceled().refunds(1).askedAgain(),
            ONE.canceled().adjusted());

    private static final class OfAll {
        private static final Coverage COVERAGE =
                of(WORLDS.stream().map(PaymentWorld::choreography).toList());
    }

    /** What is exercised in {@link #WORLDS}; explored once. */
    static Coverage ofAll() {
        return OfAll.COVERAGE;
    }

    static Coverage of(Collection<Choreography> worlds) {
        var all = new Coverage(new TreeMap<>(), new TreeSet<>(), new TreeSet<>());
        for (Choreography world : worlds) {
            Exploration found = Explorer.exhaust(world, 10_000_000);
            found.cells()
                    .forEach((cell, outcomes) -> all.cells
                            .computeIfAbsent(cell, c -> new TreeSet<>())
                            .addAll(outcomes));
            all.states.addAll(found.statesEntered());
            all.events.addAll(found.eventsAnnounced());
        }
        return all;
    }
}
