package dev.paysaga.reconciliation;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a reconciliation found.
 *
 * @param differences everything that is not as it must be; empty if the books balance
 * @param counts how much was looked at, by name, in the order to print it
 */
public record Report(List<Difference> differences, Map<String, Long> counts) {

    public Report {
        differences = List.copyOf(differences);
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }

    public boolean clean() {
        return differences.isEmpty();
    }

    /** The report as printed by {@code ./paysaga reconcile}. */
    public String text() {
        var text = new StringBuilder();
        counts.forEach((name, count) -> text.append(String.format("  %-34s %,12d%n", name, count)));
        differences.forEach(difference -> text.append("  ✗ ").append(difference).append('\n'));
        text.append(
                clean()
                        ? "  the books balance: no difference\n"
                        : "  " + differences.size() + (differences.size() == 1 ? " difference\n" : " differences\n"));
        return text.toString();
    }
}
