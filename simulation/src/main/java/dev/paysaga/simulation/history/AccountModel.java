package dev.paysaga.simulation.history;

import dev.paysaga.account.domain.AttemptPolicy;
import dev.paysaga.account.domain.Decision;
import dev.paysaga.account.domain.Parties;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Reactions;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.EventIds;
import dev.paysaga.simulation.AccountRole;
import dev.paysaga.simulation.history.History.Published;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What account may have decided. Its causes apart from events are the due attempts of refunds. */
final class AccountModel implements Model<AccountModel.Money> {

    private static final AccountRole ROLE = new AccountRole(1);

    /** When the next attempt is due is in no event. */
    private static final AttemptPolicy ATTEMPTS = AttemptPolicy.at(Instant.EPOCH);

    /** What account knows of an order. */
    record Money(Payment payment, Map<UUID, WorkItem> workItems) {}

    @Override
    public String service() {
        return "account";
    }

    @Override
    public boolean hears(Published published) {
        return published.event() instanceof ResolveWorkOrder
                || ROLE.hears().contains(published.topic()) && !ROLE.passesBy(published.event());
    }

    @Override
    public Money start(UUID orderId) {
        return new Money(Payment.unseen(orderId), Map.of());
    }

    @Override
    public Mark mark(Money state) {
        Payment payment = state.payment();
        return new Mark(
                payment.status().code(), payment.version(), payment.status().name());
    }

    @Override
    public List<Outcome<Money>> outcomes(Money state, UUID cause, @Nullable Published heard, List<Published> said) {
        var outcomes = new ArrayList<Outcome<Money>>();
        for (Parties parties : parties(state.payment(), heard)) {
            Decision decision = heard == null ? due(state, cause, parties) : reaction(state, heard, parties);
            if (decision != null) {
                var items = new HashMap<>(state.workItems());
                decision.workItems().forEach(item -> items.put(item.id(), item));
                outcomes.add(new Outcome<>(new Money(decision.payment(), Map.copyOf(items)), decision.events()));
            }
        }
        return outcomes;
    }

    private static List<Parties> parties(Payment now, @Nullable Published heard) {
        if (now.status() == Payment.Status.UNSEEN && heard != null && heard.event() instanceof StockReserved e) {
            return Ledgers.ofANewOrder(e.getMerchantId(), e.getPayerAccountId(), e.getCurrency());
        }
        if (now.terms() == null) {
            return List.of(Parties.NONE);
        }
        String payer = now.terms().payerAccount();
        return Ledgers.ofAKnownOrder(
                now.merchantId(),
                payer.substring(payer.indexOf('/') + 1),
                now.terms().currency());
    }

    private static Decision reaction(Money state, Published heard, Parties parties) {
        Payment now = state.payment();
        return switch (heard.event()) {
            case StockReserved e -> Reactions.on(e, now, parties);
            case OrderConfirmed e -> Reactions.on(e, now, parties);
            case OrderCanceled e -> Reactions.on(e, now, parties);
            case RefundRequested e -> Reactions.on(e, now, parties, ATTEMPTS);
            case ResolveWorkOrder e -> Reactions.resolve(e, state.workItems().get(e.getWorkOrderId()), now, parties);
            default -> throw new IllegalArgumentException("account has no reaction to " + heard.event());
        };
    }

    private static @Nullable Decision due(Money state, UUID cause, Parties parties) {
        Payment now = state.payment();
        for (PaymentRefund refund : now.refunds()) {
            if (cause.equals(EventIds.derive(
                    now.orderId(), "account", "RefundAttempt/" + refund.refundNo(), refund.attempts()))) {
                return Reactions.retryRefund(refund.refundNo(), now, parties, ATTEMPTS);
            }
        }
        return null;
    }
}
