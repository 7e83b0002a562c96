package dev.paysaga.simulation;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.explorer.Cell;
import dev.paysaga.explorer.Choreography;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Replay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/** Writes {@code docs/choreography.md}: the overview a coordinator would have given, from what the services really do. */
public final class ChoreographyDocument {

    private static final PaymentWorld ONE = PaymentWorld.ofOneOrder();

    private static final List<Participant> CAST =
            List.of(new OrderRole(true), new InventoryRole(1), new AccountRole(1), new NotificationRole());

    private static final Set<String> TYPES = PaymentSaga.topics().stream()
            .flatMap(topic -> new PaymentSaga().schemasOf(topic).stream())
            .map(Schema::getName)
            .collect(Collectors.toUnmodifiableSet());

    private final Map<Cell, Set<String>> cells = Coverage.ofAll().cells();
    private final StringBuilder text = new StringBuilder();

    private ChoreographyDocument() {}

    /** The document. */
    public static String text() {
        var document = new ChoreographyDocument();
        document.write();
        return document.text.toString();
    }

    private void write() {
        text.append("""
                # The choreography

                Generated from the services' own reactions, by exploring them; a stale copy fails the build.

                ## Who says what, and who hears it

                | topic | event | heard by |
                | --- | --- | --- |
                """);
        new TreeSet<>(PaymentSaga.topics()).forEach(this::topic);
        for (Participant participant : CAST) {
            part(participant);
        }
        text.append("""

                ## Scenarios

                Each is one of the many orders in which the events may come; the exploration checks all of them.
                """);
        scenarios().forEach(this::scenario);
    }

    private void topic(String topic) {
        for (Schema schema : new PaymentSaga().schemasOf(topic)) {
            Set<String> hears = cells.keySet().stream()
                    .filter(cell -> cell.event().equals(schema.getName()))
                    .map(Cell::participant)
                    .collect(Collectors.toCollection(TreeSet::new));
            text.append("| `")
                    .append(topic)
                    .append("` | ")
                    .append(schema.getName())
                    .append(" | ");
            text.append(hears.isEmpty() ? heardOutside(schema.getName(), topic) : String.join(", ", hears))
                    .append(" |\n");
        }
    }

    private static String heardOutside(String event, String topic) {
        return switch (topic) {
            case "ops.commands" ->
                event.equals("PostToSuspense") ? AccountRole.NAME : "the service that owns the work order";
            default -> "whoever listens";
        };
    }

    private void part(Participant participant) {
        text.append("\n## What ").append(participant.name()).append(" does\n\n");
        text.append("""
                A cell says what the state becomes and what is announced. –: nothing. Empty: cannot happen, and is parked if it
                does.
                """);
        table(participant, cell -> isEvent(cell.event()) && !isOfARefund(cell));
        table(participant, cell -> isEvent(cell.event()) && isOfARefund(cell));
        if (cells.keySet().stream().anyMatch(cell -> isCommandTo(participant, cell))) {
            text.append("""

                    What clients, clocks and people ask of it, in the simulation's words. Empty: refused, or not due.
                    """);
            table(participant, cell -> isCommandTo(participant, cell));
        }
    }

    private static boolean isCommandTo(Participant participant, Cell cell) {
        return cell.participant().equals(participant.name()) && !isEvent(cell.event());
    }

    private static boolean isEvent(String type) {
        return TYPES.contains(type);
    }

    /** Some events are about one refund of an order, and meet its state. */
    private static boolean isOfARefund(Cell cell) {
        return cell.state().startsWith("refund ");
    }

    private void table(Participant participant, Predicate<Cell> shown) {
        List<Cell> rows = cells.keySet().stream()
                .filter(cell -> cell.participant().equals(participant.name()))
                .filter(shown)
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        Set<String> events = rows.stream().map(Cell::event).collect(Collectors.toCollection(TreeSet::new));
        Set<String> states = rows.stream().map(Cell::state).collect(Collectors.toCollection(TreeSet::new));
        text.append("\n| | ").append(String.join(" | ", states)).append(" |\n|");
        text.append(" --- |".repeat(states.size() + 1)).append('\n');
        for (String event : events) {
            text.append("| **").append(event).append("** |");
            for (String state : states) {
                Set<String> outcomes = cells.getOrDefault(new Cell(participant.name(), state, event), Set.of());
                text.append(' ')
                        .append(outcomes.stream()
                                .map(outcome -> outcome.isEmpty() ? "–" : outcome)
                                .collect(Collectors.joining("; or ")))
                        .append(" |");
            }
            text.append('\n');
        }
    }

    // ---- scenarios ----

    private record Scenario(PaymentWorld world, String trace) {}

    private static Map<String, Scenario> scenarios() {
        var scenarios = new LinkedHashMap<String, Scenario>();
        scenarios.put("Paid", new Scenario(ONE, PAID));
        scenarios.put("Out of stock", new Scenario(ONE.units(0), """
                client places the order
                inventory <- OrderPlaced
                order <- StockRejected
                inventory <- OrderCanceled
                account <- OrderCanceled
                order <- StockReleased
                order <- PaymentVoided
                """));
        scenarios.put("Not enough money", new Scenario(ONE.wallet(0), """
                client places the order
                inventory <- OrderPlaced
                order <- StockReserved
                account <- StockReserved
                order <- PaymentDeclined
                inventory <- PaymentDeclined
                inventory <- OrderCanceled
                account <- OrderCanceled
                order <- StockReleased
                order <- StockReleased
                order <- PaymentVoided
                """));
        scenarios.put("Canceled while the money is being held", new Scenario(ONE.canceled(), """
                client places the order
                inventory <- OrderPlaced
                order <- StockReserved
                merchant cancels
                account <- StockReserved
                order <- PaymentAuthorized
                account <- OrderCanceled
                inventory <- OrderCanceled
                order <- PaymentVoided
                order <- StockReleased
                """));
        scenarios.put("The cancellation overtakes the order", new Scenario(ONE, """
                client places the order
                time-out
                inventory <- OrderCanceled
                account <- OrderCanceled
                inventory <- OrderPlaced
                order <- StockReleased
                order <- PaymentVoided
                order <- StockRejected
                """));
        scenarios.put(
                "Refunded, with the goods back", new Scenario(ONE.refunds(1).restocked(), PAID + """
                merchant refunds 2 with the tea back
                account <- RefundRequested
                order <- RefundCompleted
                inventory <- RefundCompleted
                """));
        scenarios.put(
                "A refund that the payer's account refuses",
                new Scenario(ONE.refunds(1).blocked(), PAID + """
                merchant refunds 2
                the payer's account is blocked
                account <- RefundRequested
                refund 1 is tried again
                refund 1 is tried again
                order <- RefundSuspended
                a person resolves REFUND_SUSPENDED with PAY_OUT
                order <- RefundCompleted
                inventory <- RefundCompleted
                """));
        return scenarios;
    }

    private static final String PAID = """
            client places the order
            inventory <- OrderPlaced
            order <- StockReserved
            account <- StockReserved
            order <- PaymentAuthorized
            inventory <- OrderConfirmed
            account <- OrderConfirmed
            order <- StockCommitted
            order <- PaymentCaptured
            """;

    private void scenario(String title, Scenario scenario) {
        Choreography world = scenario.world().choreography();
        var replay = Replay.of(world);
        List<String> moves = scenario.trace().lines().map(String::strip).toList();
        text.append("\n### ").append(title).append("\n\n```mermaid\nsequenceDiagram\n");
        CAST.forEach(participant ->
                text.append("    participant ").append(participant.name()).append('\n'));
        Set<String> told = new TreeSet<>();
        for (String move : moves) {
            replay.mustPlay(move);
            arrow(move);
            var now = new TreeSet<>(NotificationRole.told(replay.view().local(0, NotificationRole.NAME)));
            now.removeAll(told);
            now.forEach(outcome -> text.append("    order ->> notification: ")
                    .append(outcome.replaceAll("/.*", ""))
                    .append('\n'));
            told.addAll(now);
        }
        replay.mustHold();
        text.append("```\n\nAt the end: ").append(atTheEnd(replay)).append(".\n");
    }

    private void arrow(String move) {
        int heard = move.indexOf(" <- ");
        if (heard < 0) {
            boolean account = move.contains("refund 1 is tried") || move.contains("person") || move.contains("account");
            text.append("    Note over ")
                    .append(account ? "account" : "order")
                    .append(": ")
                    .append(move)
                    .append('\n');
        } else {
            String event = move.substring(heard + 4);
            text.append("    ")
                    .append(owner(event))
                    .append(" ->> ")
                    .append(move, 0, heard)
                    .append(": ")
                    .append(event)
                    .append('\n');
        }
    }

    private static String owner(String event) {
        return PaymentSaga.topics().stream()
                .filter(topic -> new PaymentSaga()
                        .schemasOf(topic).stream()
                                .anyMatch(schema -> schema.getName().equals(event)))
                .map(topic -> topic.substring(0, topic.indexOf('.')))
                .findFirst()
                .orElseThrow();
    }

    private static String atTheEnd(Replay replay) {
        var words = new ArrayList<String>();
        for (Participant participant : CAST.subList(0, 3)) {
            words.add(participant.name() + " " + participant.label(replay.view().local(0, participant.name())));
        }
        return String.join(", ", words);
    }
}
