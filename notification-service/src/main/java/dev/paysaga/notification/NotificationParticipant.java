package dev.paysaga.notification;

import static dev.paysaga.events.Topics.ORDER_EVENTS;

import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.notification.NotificationStore.Entry;
import dev.paysaga.notification.domain.Notification;
import dev.paysaga.notification.domain.Reactions;
import dev.paysaga.saga.inbox.Lane;
import dev.paysaga.saga.inbox.Participant;
import dev.paysaga.saga.inbox.ReceivedEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.springframework.stereotype.Component;

/** What notification hears: the outcomes of orders. What is told about them is in {@link Reactions}. */
@Component
final class NotificationParticipant implements Participant<List<Entry>> {

    /** The other events of the topic are steps on the way, and nobody is told about those. */
    private static final Set<Class<? extends SpecificRecord>> HEARD =
            Set.of(OrderPaid.class, OrderClosed.class, OrderRefunded.class, OrderRefundFailed.class);

    private final NotificationStore store;

    NotificationParticipant(NotificationStore store) {
        this.store = store;
    }

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of(Lane.FORWARD, Set.of(ORDER_EVENTS));
    }

    @Override
    public boolean concerns(SpecificRecord event) {
        return HEARD.contains(event.getClass());
    }

    /** Nothing to lock: what is recorded never changes. */
    @Override
    public List<Entry> load(Collection<ReceivedEvent> events) {
        return new ArrayList<>(events.size());
    }

    @Override
    public List<SpecificRecord> react(ReceivedEvent event, List<Entry> entries) {
        entries.add(new Entry(event.id(), decide(event.body())));
        return List.of();
    }

    @Override
    public void save(List<Entry> entries) {
        store.keep(entries);
    }

    private static Notification decide(SpecificRecord event) {
        return switch (event) {
            case OrderPaid paid -> Reactions.on(paid);
            case OrderClosed closed -> Reactions.on(closed);
            case OrderRefunded refunded -> Reactions.on(refunded);
            case OrderRefundFailed failed -> Reactions.on(failed);
            default ->
                throw new IllegalArgumentException(
                        "notification has no reaction to " + event.getSchema().getName());
        };
    }
}
