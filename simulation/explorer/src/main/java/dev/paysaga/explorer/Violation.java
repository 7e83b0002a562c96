package dev.paysaga.explorer;

import java.util.List;

/**
 * An invariant that does not hold, and how to get there.
 *
 * @param invariant its name
 * @param detail what is wrong, in words
 * @param trace the moves from the beginning, each a line
 */
public record Violation(String invariant, String detail, List<String> trace) {

    public Violation {
        trace = List.copyOf(trace);
    }

    /** The trace as a numbered list. */
    public String story() {
        var text = new StringBuilder(invariant).append(": ").append(detail).append('\n');
        for (int i = 0; i < trace.size(); i++) {
            text.append("  ").append(i + 1).append(". ").append(trace.get(i)).append('\n');
        }
        return text.toString();
    }

    /**
     * A JUnit test to paste: it fails as long as the trace leads to a violation.
     *
     * @param choreography the Java expression that makes the choreography
     */
    public String asTest(String choreography) {
        var text = new StringBuilder("@Test\nvoid ")
                .append(invariant.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "_"))
                .append("() {\n    Replay.of(")
                .append(choreography)
                .append(").play(\"\"\"\n");
        trace.forEach(move -> text.append("            ").append(move).append('\n'));
        return text.append("            \"\"\").mustHold();\n}\n").toString();
    }
}
