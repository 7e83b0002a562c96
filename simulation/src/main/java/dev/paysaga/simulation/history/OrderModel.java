package dev.paysaga.simulation.history;

import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.order.domain.Decision;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.Outcome.Accepted;
import dev.paysaga.order.domain.Question;
import dev.paysaga.order.domain.Reactions;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.EventIds;
import dev.paysaga.simulation.OrderRole;
import dev.paysaga.simulation.history.History.Published;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What order may have decided. Its causes apart from events are those that its desk names. */
final class OrderModel implements Model<Optional<Order>> {

    private static final OrderRole ROLE = new OrderRole();

    /** Where webhooks go is not said when an order is placed; what is said at its end tells. */
    private final Map<UUID, String> notifyUrls = new HashMap<>();

    OrderModel(History history) {
        for (Published published : history.published()) {
            String url = switch (published.event()) {
                case OrderPaid e -> e.getNotifyUrl();
                case OrderClosed e -> e.getNotifyUrl();
                case OrderRefunded e -> e.getNotifyUrl();
                case OrderRefundFailed e -> e.getNotifyUrl();
                default -> null;
            };
            if (url != null) {
                notifyUrls.put(published.orderId(), url);
            }
        }
    }

    @Override
    public String service() {
        return "order";
    }

    @Override
    public boolean hears(Published published) {
        return published.event() instanceof ResolveWorkOrder
                || ROLE.hears().contains(published.topic()) && !ROLE.passesBy(published.event());
    }

    @Override
    public Optional<Order> start(UUID orderId) {
        return Optional.empty();
    }

    @Override
    public Mark mark(Optional<Order> state) {
        return state.map(order -> new Mark(
                        order.status().code(), order.version(), order.status().name()))
                .orElse(new Mark(0, 0, "UNSEEN"));
    }

    @Override
    public List<Outcome<Optional<Order>>> outcomes(
            Optional<Order> state, UUID cause, @Nullable Published heard, List<Published> said) {
        Optional<Decision> decision = state.isEmpty()
                ? placed(cause, said)
                : Optional.ofNullable(heard == null ? asked(state.get(), cause, said) : reaction(state.get(), heard));
        return decision.stream()
                .map(d -> new Outcome<>(Optional.of(d.order()), d.events()))
                .toList();
    }

    private static Decision reaction(Order now, Published heard) {
        return heard.event() instanceof ResolveWorkOrder command
                ? Reactions.resolve(command, new Question(now.orderId(), false, false), now)
                : Reactions.on(heard.event(), now);
    }

    private Optional<Decision> placed(UUID cause, List<Published> said) {
        return said.stream()
                .filter(published -> published.orderId().equals(cause))
                .map(Published::event)
                .filter(OrderPlaced.class::isInstance)
                .map(OrderPlaced.class::cast)
                .findFirst()
                .map(e -> Reactions.place(
                        cause,
                        new Terms(
                                e.getMerchantId(),
                                e.getOutTradeNo(),
                                e.getPayerAccountId(),
                                e.getCurrency(),
                                e.getAmount(),
                                e.getLines(),
                                notifyUrls.get(cause))));
    }

    private @Nullable Decision asked(Order now, UUID cause, List<Published> said) {
        UUID id = now.orderId();
        if (cause.equals(EventIds.derive(id, "order", "CancelOrder", 0))) {
            return Reactions.cancel(now) instanceof Accepted accepted ? accepted.decision() : null;
        }
        if (cause.equals(EventIds.derive(id, "order", "Overdue", now.version()))) {
            return Reactions.timeOut(now);
        }
        for (Published published : said) {
            if (published.event() instanceof RefundRequested e
                    && cause.equals(EventIds.derive(id, "order", "RefundOrder/" + e.getRefundNo(), 0))) {
                var terms = new RefundTerms(e.getRefundNo(), e.getAmount(), e.getReason(), e.getRestock());
                return Reactions.requestRefund(terms, now) instanceof Accepted accepted ? accepted.decision() : null;
            }
        }
        return null;
    }
}
