package dev.paysaga.simulation.history;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.order.domain.Decision;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.Outcome.Accepted;
import dev.paysaga.order.domain.Reactions;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.EventIds;
import dev.paysaga.simulation.history.History.Published;
import dev.paysaga.simulation.history.History.Transition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;

/** A run in which nothing goes wrong, of one order, and the history it leaves behind. */
final class Run {

    static final UUID ORDER = EventIds.named(1_764_547_200_000L, "an order with a history");

    private static final List<OrderLine> TEA = List.of(new OrderLine("tea", 2L, 50L));
    private static final PaymentSaga LANGUAGE = new PaymentSaga();
    private static final History NOTHING = new History(List.of(), List.of(), Map.of());

    private final OrderModel order = new OrderModel(NOTHING);
    private final List<Model<?>> services =
            List.of(order, new InventoryModel(Map.of(ORDER, "shop")), new AccountModel());
    private final Map<String, Object> states = new HashMap<>();
    private final Queue<Published> waiting = new ArrayDeque<>();
    private final List<Published> published = new ArrayList<>();
    private final List<Transition> transitions = new ArrayList<>();

    Run() {
        asked(ORDER, Reactions.place(ORDER, new Terms("shop", "1", "alice", "EUR", 100, TEA, null)));
    }

    Run settled() {
        while (!waiting.isEmpty()) {
            Published next = waiting.remove();
            services.stream().filter(service -> service.hears(next)).forEach(service -> hear(service, next));
        }
        return this;
    }

    Run canceled() {
        Accepted canceled = (Accepted) Reactions.cancel(now());
        asked(EventIds.derive(ORDER, "order", "CancelOrder", 0), canceled.decision());
        return this;
    }

    Run refunded(RefundTerms terms) {
        Accepted refund = (Accepted) Reactions.requestRefund(terms, now());
        asked(EventIds.derive(ORDER, "order", "RefundOrder/" + terms.refundNo(), 0), refund.decision());
        return this;
    }

    History history() {
        return new History(published, transitions, Map.of());
    }

    @SuppressWarnings("unchecked")
    private Order now() {
        return ((Optional<Order>) states.get("order")).orElseThrow();
    }

    private void asked(UUID cause, Decision decision) {
        change(order, cause, new Model.Outcome<>(Optional.of(decision.order()), decision.events()));
    }

    private <S> void hear(Model<S> service, Published heard) {
        change(
                service,
                heard.id(),
                service.outcomes(state(service), heard.id(), heard, List.of()).getFirst());
    }

    private <S> void change(Model<S> service, UUID cause, Model.Outcome<S> outcome) {
        Model.Mark before = service.mark(state(service));
        Model.Mark after = service.mark(outcome.state());
        states.put(service.service(), outcome.state());
        if (!after.equals(before)) {
            transitions.add(
                    new Transition(service.service(), ORDER, cause, before.code(), after.code(), after.version()));
        }
        for (int i = 0; i < outcome.events().size(); i++) {
            SpecificRecord event = outcome.events().get(i);
            var said = new Published(
                    EventIds.derive(cause, service.service(), event.getSchema().getName(), i),
                    cause,
                    service.service(),
                    LANGUAGE.route(event).topic(),
                    ORDER,
                    event);
            published.add(said);
            waiting.add(said);
        }
    }

    @SuppressWarnings("unchecked")
    private <S> S state(Model<S> service) {
        return (S) states.computeIfAbsent(service.service(), name -> service.start(ORDER));
    }
}
