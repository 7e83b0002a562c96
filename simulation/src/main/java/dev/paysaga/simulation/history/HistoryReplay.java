package dev.paysaga.simulation.history;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;

import dev.paysaga.saga.EventIds;
import dev.paysaga.simulation.history.History.Published;
import dev.paysaga.simulation.history.History.Transition;
import dev.paysaga.simulation.history.Model.Mark;
import dev.paysaga.simulation.history.Model.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Plays what the services did once more, with their own reactions, order by order and service by service. Every logged
 * change must be what its cause leads to from the state before, and what was announced because of it must be what was
 * decided, under the ids that follow from the cause. What was heard without a change must be something that changes
 * nothing; what was announced must follow from something.
 */
public final class HistoryReplay {

    private static final String OPS_EVENTS = "ops.events";

    private final Map<UUID, Published> byId = new LinkedHashMap<>();
    private final Map<UUID, Integer> positions = new HashMap<>();
    private final Map<UUID, List<Published>> byCause;
    private final Map<UUID, List<Published>> byOrder;
    private final Map<String, Map<UUID, List<Transition>>> transitions;
    private final Map<String, Set<UUID>> setAside;
    private final List<Deviation> deviations = new ArrayList<>();

    private HistoryReplay(History history) {
        history.published().forEach(published -> {
            positions.put(published.id(), positions.size());
            byId.put(published.id(), published);
        });
        byCause = history.published().stream().collect(groupingBy(Published::cause));
        byOrder = history.published().stream().collect(groupingBy(Published::orderId));
        transitions = history.transitions().stream()
                .collect(groupingBy(Transition::service, groupingBy(Transition::orderId)));
        setAside = history.setAside();
    }

    /** Every step that the reactions do not allow; none if all is as it should be. */
    public static List<Deviation> deviations(History history) {
        var replay = new HistoryReplay(history);
        var orders = new TreeSet<>(replay.byOrder.keySet());
        history.transitions().forEach(transition -> orders.add(transition.orderId()));
        var orderModel = new OrderModel(history);
        var inventoryModel = InventoryModel.of(history);
        var accountModel = new AccountModel();
        for (UUID order : orders) {
            replay.new OfOrder<>(orderModel, order).check();
            replay.new OfOrder<>(inventoryModel, order).check();
            replay.new OfOrder<>(accountModel, order).check();
        }
        return replay.deviations;
    }

    /** One service's part in one order. */
    private final class OfOrder<S> {

        private final Model<S> model;
        private final UUID order;
        private final List<S> states = new ArrayList<>();
        private final Set<UUID> followed = new HashSet<>();
        private final Set<UUID> explained = new HashSet<>();
        private boolean lost;

        OfOrder(Model<S> model, UUID order) {
            this.model = model;
            this.order = order;
            states.add(model.start(order));
        }

        void check() {
            transitions.getOrDefault(model.service(), Map.of()).getOrDefault(order, List.of()).stream()
                    .sorted(comparingInt(Transition::version))
                    .takeWhile(transition -> !lost)
                    .forEach(this::follow);
            if (!lost) {
                checkOrderOfTopics();
                byOrder.getOrDefault(order, List.of()).stream()
                        .filter(model::hears)
                        .filter(heard -> !followed.contains(heard.id()) && !isSetAside(heard))
                        .forEach(this::changedNothing);
                byOrder.getOrDefault(order, List.of()).stream()
                        .filter(said -> said.producer().equals(model.service())
                                && !said.topic().equals(OPS_EVENTS)
                                && !explained.contains(said.id()))
                        .forEach(said -> deviates(
                                said.type() + " " + said.id(), "nothing that happened leads to this announcement"));
            }
        }

        /** One logged change. */
        private void follow(Transition transition) {
            S before = states.getLast();
            Published heard = byId.get(transition.eventId());
            String step = "version " + transition.version() + ", after " + (heard == null ? "a command" : heard.type())
                    + " " + transition.eventId();
            followed.add(transition.eventId());
            if (model.mark(before).code() != transition.from()) {
                lose(
                        step,
                        "it is said to begin in state " + transition.from() + ", and the state was "
                                + model.mark(before));
                return;
            }
            var reasons = new TreeSet<String>();
            for (Outcome<S> outcome : outcomes(before, transition.eventId(), heard, reasons)) {
                Mark after = model.mark(outcome.state());
                if (after.code() != transition.to() || after.version() != transition.version()) {
                    reasons.add("the reactions lead from " + model.mark(before) + " to " + after + " in version "
                            + after.version() + ", not to state " + transition.to());
                    continue;
                }
                String wrong = wrongIn(transition.eventId(), outcome.events());
                if (wrong == null) {
                    states.add(outcome.state());
                    explain(transition.eventId(), outcome.events());
                    return;
                }
                reasons.add(wrong);
            }
            lose(
                    step,
                    reasons.isEmpty()
                            ? "nothing is known that could lead to it from " + model.mark(before)
                            : String.join("; or ", reasons));
        }

        /** An event without a logged change must be one that changes nothing, in some state that there was. */
        private void changedNothing(Published heard) {
            if (heard.type().equals("ResolveWorkOrder")) {
                explainCommand(heard);
                return; // perhaps about another service's work order, or one that is closed
            }
            var reasons = new TreeSet<String>();
            for (S state : states) {
                for (Outcome<S> outcome : outcomes(state, heard.id(), heard, reasons)) {
                    if (!model.mark(outcome.state()).equals(model.mark(state))) {
                        continue;
                    }
                    String wrong = wrongIn(heard.id(), outcome.events());
                    if (wrong == null) {
                        explain(heard.id(), outcome.events());
                        return;
                    }
                    reasons.add(wrong);
                }
            }
            deviates(
                    heard.type() + " " + heard.id(),
                    "it left no trace, and in none of the states "
                            + states.stream().map(model::mark).toList() + " does it change nothing"
                            + (reasons.isEmpty() ? "" : ": " + String.join("; or ", reasons)));
        }

        /** What a person's command made a service say, without a change. */
        private void explainCommand(Published command) {
            byCause.getOrDefault(command.id(), List.of()).stream()
                    .filter(said -> said.producer().equals(model.service()))
                    .forEach(said -> explained.add(said.id()));
        }

        /** A topic is heard in its own order, also by who has parked and redriven. */
        private void checkOrderOfTopics() {
            var last = new HashMap<String, Published>();
            for (UUID id : inOrder()) {
                Published heard = byId.get(id);
                Published before = heard == null ? null : last.put(heard.topic(), heard);
                if (heard != null && before != null && position(before) > position(heard)) {
                    deviates(
                            heard.type() + " " + heard.id(),
                            "it was handled after " + before.type() + ", which came later in " + heard.topic());
                }
            }
        }

        private List<UUID> inOrder() {
            return transitions.getOrDefault(model.service(), Map.of()).getOrDefault(order, List.of()).stream()
                    .sorted(comparingInt(Transition::version))
                    .map(Transition::eventId)
                    .toList();
        }

        private List<Outcome<S>> outcomes(S state, UUID cause, @Nullable Published heard, Collection<String> reasons) {
            List<Published> said = byCause.getOrDefault(cause, List.of()).stream()
                    .filter(published -> published.producer().equals(model.service()))
                    .toList();
            try {
                return model.outcomes(state, cause, heard, said);
            } catch (RuntimeException e) {
                reasons.add(String.valueOf(e.getMessage()));
                return List.of();
            }
        }

        /** What of a decision's announcements is missing or other than decided; null if nothing. */
        private @Nullable String wrongIn(UUID cause, List<SpecificRecord> events) {
            for (int i = 0; i < events.size(); i++) {
                SpecificRecord decided = events.get(i);
                String type = decided.getSchema().getName();
                UUID id = EventIds.derive(cause, model.service(), type, i);
                Published published = byId.get(id);
                if (published == null) {
                    return type + " " + id + " should have been announced";
                }
                if (!published.event().equals(decided)) {
                    return type + " " + id + " was announced as " + published.event() + ", decided was " + decided;
                }
            }
            return null;
        }

        private void explain(UUID cause, List<SpecificRecord> events) {
            for (int i = 0; i < events.size(); i++) {
                explained.add(EventIds.derive(
                        cause, model.service(), events.get(i).getSchema().getName(), i));
            }
        }

        private boolean isSetAside(Published heard) {
            return setAside.getOrDefault(model.service(), Set.of()).contains(heard.id());
        }

        /** From here on the state is unknown: what follows would only repeat the first fault. */
        private void lose(String step, String why) {
            lost = true;
            deviates(step, why);
        }

        private void deviates(String step, String why) {
            deviations.add(new Deviation(model.service(), order, step, why));
        }
    }

    private int position(Published published) {
        return positions.getOrDefault(published.id(), 0);
    }
}
