package dev.paysaga.account;

import static dev.paysaga.events.Topics.INVENTORY_EVENTS;
import static dev.paysaga.events.Topics.OPS_COMMANDS;
import static dev.paysaga.events.Topics.ORDER_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_EVENTS;

import dev.paysaga.account.PaymentStore.Concern;
import dev.paysaga.account.domain.Adjusted;
import dev.paysaga.account.domain.Adjustments;
import dev.paysaga.account.domain.Decision;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.Reactions;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.inbox.Lane;
import dev.paysaga.saga.inbox.Participant;
import dev.paysaga.saga.inbox.ReceivedEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What account hears. What it does about it is in {@link Reactions}, and about differences in {@link Adjustments}. */
@Component
final class AccountParticipant implements Participant<Books> {

    /** Other events in these topics, such as OrderPlaced or StockCommitted, mean nothing to account. */
    private static final Set<Class<? extends SpecificRecord>> HEARD = Set.of(
            StockReserved.class,
            OrderConfirmed.class,
            OrderCanceled.class,
            RefundRequested.class,
            ResolveWorkOrder.class,
            PostToSuspense.class);

    private final PaymentStore store;

    AccountParticipant(PaymentStore store) {
        this.store = store;
    }

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of(
                Lane.FORWARD, Set.of(INVENTORY_EVENTS, ORDER_EVENTS),
                Lane.COMPENSATION, Set.of(ORDER_COMPENSATIONS, OPS_COMMANDS));
    }

    @Override
    public boolean concerns(SpecificRecord event) {
        return HEARD.contains(event.getClass());
    }

    @Override
    public Set<String> workOrderKinds() {
        return Stream.of(WorkItem.Kind.values()).map(Enum::name).collect(Collectors.toSet());
    }

    @Override
    public Books load(Collection<ReceivedEvent> events) {
        return store.lock(events.stream().map(event -> concern(event.body())).toList());
    }

    @Override
    public List<SpecificRecord> react(ReceivedEvent event, Books books) {
        Payment now = books.payment(concern(event.body()).orderId());
        Adjusted adjusted = adjust(event.body(), now, books);
        if (adjusted != null) {
            books.keep(adjusted);
            return adjusted.events();
        }
        Decision decision = decide(event.body(), now, books);
        books.keep(event.id(), now, decision);
        return decision.events();
    }

    @Override
    public void save(Books books) {
        store.save(books);
    }

    /** @return null if this is about no difference */
    private static @Nullable Adjusted adjust(SpecificRecord event, Payment now, Books books) {
        if (event instanceof PostToSuspense command) {
            return Adjustments.on(command, books.known(command), books.purse(Adjustments.account(command, now)));
        }
        WorkItem item = event instanceof ResolveWorkOrder command ? books.workItem(command.getWorkOrderId()) : null;
        return item != null && item.kind().isDifference() && event instanceof ResolveWorkOrder command
                ? Adjustments.resolve(command, item, books.origin(item.id()), books.purse(command.getAccount()))
                : null;
    }

    private static Decision decide(SpecificRecord event, Payment now, Books books) {
        return switch (event) {
            case StockReserved reserved ->
                Reactions.on(
                        reserved,
                        now,
                        now.status() == Payment.Status.UNSEEN ? books.parties(reserved) : books.parties(now));
            case OrderConfirmed confirmed -> Reactions.on(confirmed, now, books.parties(now));
            case OrderCanceled canceled -> Reactions.on(canceled, now, books.parties(now));
            case RefundRequested asked -> Reactions.on(asked, now, books.parties(now), books.attempts());
            case ResolveWorkOrder command ->
                Reactions.resolve(command, books.workItem(command.getWorkOrderId()), now, books.parties(now));
            default -> throw unheard(event);
        };
    }

    private static Concern concern(SpecificRecord event) {
        return switch (event) {
            case StockReserved e -> Concern.of(e);
            case OrderConfirmed e -> Concern.about(e.getOrderId());
            case OrderCanceled e -> Concern.about(e.getOrderId());
            case RefundRequested e -> Concern.about(e.getOrderId());
            case ResolveWorkOrder e -> Concern.of(e);
            case PostToSuspense e -> Concern.of(e);
            default -> throw unheard(event);
        };
    }

    private static IllegalArgumentException unheard(SpecificRecord event) {
        return new IllegalArgumentException(
                "account has no reaction to " + event.getSchema().getName());
    }
}
