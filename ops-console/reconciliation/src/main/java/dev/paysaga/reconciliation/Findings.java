package dev.paysaga.reconciliation;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What has been found so far, over all windows. */
final class Findings {

    private final List<Difference> differences = new ArrayList<>();
    private final Map<Integer, Long> ordersByState = new TreeMap<>();
    private final Map<String, Long> counts = new HashMap<>();

    /** About a row that belongs to an order. */
    void about(
            String rule,
            UUID order,
            String subject,
            @Nullable String merchant,
            String detail,
            @Nullable String currency,
            @Nullable Long amount) {
        differences.add(new Difference(rule, subject, detail, order, merchant, currency, amount));
    }

    /** About an order, where no quantity is wrong. */
    void about(String rule, UUID order, @Nullable String merchant, String detail) {
        about(rule, order, order.toString(), merchant, detail, null, null);
    }

    /** About an account, a product or a currency. */
    void about(
            String rule,
            String subject,
            @Nullable String merchant,
            String detail,
            @Nullable String currency,
            BigInteger amount) {
        differences.add(new Difference(rule, subject, detail, null, merchant, currency, within(amount)));
    }

    private static @Nullable Long within(BigInteger amount) {
        return amount.bitLength() < Long.SIZE ? amount.longValue() : null;
    }

    void count(String name, long more) {
        counts.merge(name, more, Long::sum);
    }

    void countOrder(int state) {
        ordersByState.merge(state, 1L, Long::sum);
    }

    Report report() {
        var inOrder = new LinkedHashMap<String, Long>();
        inOrder.put(
                "orders",
                ordersByState.values().stream().mapToLong(Long::longValue).sum());
        ordersByState.forEach((state, count) -> inOrder.put("  " + OrderState.name(state), count));
        for (String name : List.of(
                "transfers",
                "reservations",
                "notifications",
                "events in the outboxes",
                "distinct events in the topics",
                "parked events",
                "open work orders")) {
            inOrder.put(name, counts.getOrDefault(name, 0L));
        }
        if (counts.containsKey(MOVING)) {
            inOrder.put(MOVING, Objects.requireNonNull(counts.get(MOVING)));
        }
        return new Report(differences, inOrder);
    }

    /** How orders are counted about which nothing can be said yet. */
    static final String MOVING = "orders on their way, not judged";
}
