package dev.paysaga.console;

import dev.paysaga.console.DifferenceDesk.Questions;
import dev.paysaga.console.Differences.Found;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.saga.inbox.Lane;
import dev.paysaga.saga.inbox.Participant;
import dev.paysaga.saga.inbox.ReceivedEvent;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.Operations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What people decide about differences. The console takes part in no saga, listens to nobody, and moves nothing: a difference
 * that is to be posted goes on as a command to the owner of the ledger, in the transaction that closes the question.
 *
 * <pre>
 *            ResolveWorkOrder WRITE_OFF   PostToSuspense
 * open       WorkOrderResolved            the command, WorkOrderResolved
 * resolved   -                            -
 * </pre>
 *
 * <p>A posting is in the difference's currency, if it has one. What counts units of stock is no money: it cannot be posted.
 */
@Component
final class DifferenceDesk implements Participant<Questions> {

    private static final String WRITE_OFF = "WRITE_OFF";
    private static final String POST_TO_SUSPENSE = "POST_TO_SUSPENSE";

    private final WorkOrders workOrders;
    private final Differences differences;
    private final Operations words;

    DifferenceDesk(WorkOrders workOrders, Differences differences, EventCatalog language) {
        this.workOrders = workOrders;
        this.differences = differences;
        this.words = language.operations();
    }

    /**
     * The work orders that a person decides about, locked.
     *
     * @param open those that are open
     * @param differences what they are about
     * @param decided what was decided so far, and is not stored yet
     */
    record Questions(Map<UUID, WorkOrder> open, Map<UUID, Found> differences, Map<UUID, Resolution> decided) {}

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of();
    }

    @Override
    public Set<String> workOrderKinds() {
        return Set.of(Differences.WORK_ORDER_KIND);
    }

    @Override
    public Questions load(Collection<ReceivedEvent> commands) {
        var open = new HashMap<UUID, WorkOrder>();
        var about = new HashMap<UUID, Found>();
        commands.stream()
                .map(command -> workOrder(command.body()))
                .distinct()
                .sorted()
                .forEach(id -> {
                    workOrders.lock(id).filter(WorkOrder::isOpen).ifPresent(order -> open.put(id, order));
                    differences.find(id).ifPresent(found -> about.put(id, found));
                });
        return new Questions(open, about, new LinkedHashMap<>());
    }

    @Override
    public List<SpecificRecord> react(ReceivedEvent event, Questions questions) {
        SpecificRecord command = event.body();
        UUID id = workOrder(command);
        WorkOrder order = questions.open().get(id);
        if (order == null || questions.decided().containsKey(id)) {
            return List.of();
        }
        Resolution how = decide(command, questions.differences().get(id));
        questions.decided().put(id, how);
        var events = new ArrayList<SpecificRecord>();
        if (command instanceof PostToSuspense posting) {
            events.add(posting);
        }
        words.resolved(order.answeredBy(how)).ifPresent(events::add);
        return events;
    }

    @Override
    public void save(Questions questions) {
        questions.decided().forEach(workOrders::resolve);
    }

    private static Resolution decide(SpecificRecord command, @Nullable Found difference) {
        return switch (command) {
            case ResolveWorkOrder c
            when c.getAction().equals(WRITE_OFF) -> new Resolution(WRITE_OFF, c.getActor(), c.getNote());
            case PostToSuspense c
            when isMoney(difference, c.getCurrency()) -> new Resolution(POST_TO_SUSPENSE, c.getActor(), c.getNote());
            default ->
                throw new ImpossibleTransition(difference == null ? "no difference" : state(difference), command);
        };
    }

    private static boolean isMoney(@Nullable Found difference, String currency) {
        return difference != null
                && (difference.currency() == null
                        ? difference.amount() == null
                        : difference.currency().equals(currency));
    }

    private static String state(Found difference) {
        return "a difference of "
                + (difference.amount() == null ? "no amount" : difference.amount())
                + (difference.currency() == null ? ", which is no money" : " " + difference.currency())
                + " (it takes WRITE_OFF, and POST_TO_SUSPENSE in its own currency)";
    }

    private static UUID workOrder(SpecificRecord command) {
        return switch (command) {
            case ResolveWorkOrder c -> c.getWorkOrderId();
            case PostToSuspense c -> c.getWorkOrderId();
            default -> throw new IllegalArgumentException("no decision of a person: " + Objects.toString(command));
        };
    }
}
