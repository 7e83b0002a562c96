package dev.paysaga.simulation;

import static java.util.Objects.requireNonNull;

import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import dev.paysaga.explorer.Violation;
import dev.paysaga.simulation.Mutants.Redundant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes {@code docs/safeguards.md}: what each safeguard is good for, from what happens without it. */
final class SafeguardsDocument {

    private SafeguardsDocument() {}

    /** The document, from what was found without each of them, by name. */
    static String text(Map<String, Exploration> found) {
        var text = new StringBuilder("""
                # The safeguards

                What is each of them good for? Take it away, explore, and see. Generated that way, from the services' own
                reactions; a stale copy fails the build, and so does a safeguard that is not missed.

                *States* were explored until something went wrong; *moves* is how many it takes at least (`simulation/` prints
                them). *X x Y* is a state that hears an event. *Nothing can follow*: the reaction refuses it, and it would be parked.
                *No state may look like what follows*: the guards of the state itself refuse the result.

                | | without this | this goes wrong | states | moves |
                | --- | --- | --- | ---: | ---: |
                """);
        var numbers = new ArrayList<String>();
        for (Mutant mutant : Mutants.all()) {
            numbers.add(mutant.safeguard());
            Exploration without = exploration(found, mutant);
            Violation violation = requireNonNull(without.violation(), mutant.safeguard());
            text.append("| ").append(numbers.size()).append(" | ").append(mutant.safeguard());
            text.append(" | ").append(wrong(violation));
            text.append(" | ")
                    .append(without.states())
                    .append(" | ")
                    .append(violation.trace().size());
            text.append(" |\n");
        }
        text.append("""

                ## Readings that look harmless

                Ways to understand the contract's table that somebody has had, or might have, and the safeguards that forbid them.
                An event that cannot be followed counts as wrong at once, before anybody would park it.

                | read like this | forbidden by |
                | --- | --- |
                """);
        for (Reading reading : Reading.all()) {
            text.append("| ").append(reading.words()).append(" | ");
            text.append(reading.safeguards().stream()
                    .map(safeguard -> String.valueOf(numbers.indexOf(safeguard) + 1))
                    .collect(Collectors.joining(", ")));
            text.append(" |\n");
        }
        text.append("""

                ## Second lines

                Without these alone nothing goes wrong: something else stands behind them. Each was explored to its end.

                | without this, all holds | states | what was concluded |
                | --- | ---: | --- |
                """);
        for (Redundant redundant : Mutants.redundant()) {
            text.append("| ").append(redundant.mutant().safeguard());
            text.append(" | ").append(exploration(found, redundant.mutant()).states());
            text.append(" | ").append(redundant.conclusion()).append(" |\n");
        }
        return text.toString();
    }

    /** Without the rest of the world, which depends on what is looked at first. */
    private static String wrong(Violation violation) {
        if (!violation.invariant().equals(Explorer.IMPOSSIBLE)) {
            return violation.invariant() + ": " + violation.detail().replaceFirst(" \\(order .*", "");
        }
        String what = violation.detail().replaceFirst(", .*", "");
        boolean guarded = violation.detail().contains(", IllegalArgumentException: ");
        return guarded ? "no state may look like what follows: " + what : "nothing can follow: " + what;
    }

    private static Exploration exploration(Map<String, Exploration> found, Mutant mutant) {
        return requireNonNull(found.get(mutant.safeguard()), mutant.safeguard());
    }

    /** The safeguards that readings speak of. */
    static List<String> spokenOf() {
        return Reading.all().stream()
                .flatMap(reading -> reading.safeguards().stream())
                .toList();
    }
}
