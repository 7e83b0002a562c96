package dev.paysaga.stack.chaos;

import dev.paysaga.reconciliation.Difference;
import dev.paysaga.reconciliation.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a chaos run ended.
 *
 * @param pending what was still on its way when the patience was at its end; empty when nothing was
 * @param books what the auditor says
 * @param broken promises that were not kept
 * @param recoveries how long each fault was felt after it was over, by kind
 * @param counts what the crowd did, by name, in the order to print it
 */
public record Result(
        long seed,
        String setting,
        String pending,
        Report books,
        List<Difference> broken,
        Map<Fault, List<Duration>> recoveries,
        Map<String, Long> counts) {

    public Result {
        broken = List.copyOf(broken);
        recoveries = Map.copyOf(recoveries);
    }

    /** Nothing is on its way, the books balance, and every promise was kept. */
    public boolean clean() {
        return pending.isEmpty() && books.clean() && broken.isEmpty();
    }

    /** Everything that is wrong, whoever found it. */
    public List<Difference> wrong() {
        var all = new ArrayList<>(broken);
        all.addAll(books.differences());
        return all;
    }

    /** Accepted orders, refunds, deposits, receipts or events that are not there. */
    public long lost() {
        return wrong().stream()
                .filter(difference -> difference.rule().contains("lost"))
                .count();
    }

    /** What happened more often than asked for. */
    public long doubled() {
        return wrong().stream()
                .filter(difference -> difference.rule().contains("doubled")
                        || difference.rule().contains("twice"))
                .count();
    }

    /** The result as Markdown tables, for the documentation. */
    public String markdown() {
        var text = new StringBuilder();
        text.append(setting).append(", seed ").append(seed).append(": **");
        text.append(clean() ? "clean" : "NOT CLEAN").append("**\n\n");
        text.append("| fault | times | longest recovery | median |\n| --- | ---: | ---: | ---: |\n");
        new TreeMap<>(recoveries).forEach((fault, all) -> {
            List<Duration> sorted = all.stream().sorted().toList();
            text.append("| %s | %d | %s | %s |%n"
                    .formatted(
                            fault.words(),
                            sorted.size(),
                            seconds(sorted.getLast()),
                            seconds(sorted.get(sorted.size() / 2))));
        });
        text.append("\n| | |\n| --- | ---: |\n");
        var rows = new LinkedHashMap<>(counts);
        rows.put("lost", lost());
        rows.put("doubled", doubled());
        rows.put("promises broken", (long) broken.size());
        rows.put("differences in the books", (long) books.differences().size());
        rows.forEach((name, count) -> text.append("| %s | %,d |%n".formatted(name, count)));
        return text.toString();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
}
