package dev.paysaga.saga.parking;

import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.parking.ParkedEvent.Status;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.RegistryUnavailable;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/** The rows of parked events, written in the reactor's transaction. */
public final class ParkingLot {

    /** The kind of work order that a parked event opens. */
    public static final String WORK_ORDER_KIND = "EVENT_PARKED";

    /** Header with the merchant an event belongs to, if its producer said so. */
    private static final String MERCHANT_HEADER = "paysaga_merchant_id";

    /**
     * Locks every waiting row of these queues, not only the heads: whoever redrives closes one row and promotes the next,
     * and a look at the old head alone would find the queue empty. Ordered, so that nobody meets a redrive head on.
     */
    private static final String LOCK_WAITING = """
            select p.topic, p.key
            from unnest(?::text[], ?::text[]) q(topic, key)
            join parked_events p on p.consumer = ? and p.topic = q.topic and p.key = q.key
            where p.closed_at is null
            order by p.topic, p.key, p."offset"
            for share of p
            """;

    /**
     * A closed event that fails again was forgotten by the inbox and came again: it opens its row anew. Not by an upsert, which
     * would lock rows that wait, and two replicas that looked at them both would wait for each other.
     */
    private static final String FORGET_CLOSED = """
            delete from parked_events p
            using unnest(?::text[], ?::int[], ?::bigint[]) e(topic, partition, "offset")
            where p.consumer = ? and p.topic = e.topic and p.partition = e.partition and p."offset" = e."offset"
              and p.closed_at is not null
            """;

    private static final String PARK = """
            insert into parked_events
                   (consumer, id, topic, partition, "offset", key, event_id, event_type, payload, headers, reason, status)
            select ?, e.id, e.topic, e.partition, e."offset", e.key, e.event_id, e.event_type, e.payload, e.headers::jsonb,
                   e.reason, e.status
            from unnest(?::uuid[], ?::text[], ?::int[], ?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::bytea[], ?::text[],
                        ?::text[], ?::text[])
                 e(id, topic, partition, "offset", key, event_id, event_type, payload, headers, reason, status)
            on conflict do nothing
            returning id
            """;

    /** Everybody writes rows in one order. */
    private static final Comparator<ParkedEvent> BY_PLACE = Comparator.comparing(ParkedEvent::topic)
            .thenComparingInt(ParkedEvent::partition)
            .thenComparingLong(ParkedEvent::offset);

    private static final Logger log = LoggerFactory.getLogger(ParkingLot.class);

    private final String consumer;
    private final JdbcOperations jdbc;
    private final WorkOrders workOrders;
    private final Outbox outbox;
    private final ParkingAnnouncer announcer;

    /** @param consumer the service whose events these are */
    public ParkingLot(
            String consumer, JdbcOperations jdbc, WorkOrders workOrders, Outbox outbox, ParkingAnnouncer announcer) {
        this.consumer = consumer;
        this.jdbc = jdbc;
        this.workOrders = workOrders;
        this.outbox = outbox;
        this.announcer = announcer;
    }

    /**
     * Which of these queues have somebody waiting. They stay so until the transaction ends, and those without stay without
     * as far as redriving is concerned. One statement.
     */
    public Set<Queue> lockWaiting(Collection<Queue> queues) {
        if (queues.isEmpty()) {
            return Set.of();
        }
        return new HashSet<>(jdbc.query(
                LOCK_WAITING,
                (row, n) -> new Queue(row.getString(1), row.getString(2)),
                queues.stream().map(Queue::topic).toArray(String[]::new),
                queues.stream().map(Queue::key).toArray(String[]::new),
                consumer));
    }

    /**
     * Keeps these events, each with its place. One that waits already stays as it is: it was delivered again. Those that
     * could not be handled open a work order: about the aggregate that the key names, or else about the parked event itself. A constant number of statements.
     *
     * @return those that did not wait before
     * @throws IllegalStateException if another event waits at the place of one of these, which would be lost
     */
    public List<ParkedEvent> park(Collection<ParkedEvent> toPark) {
        List<ParkedEvent> events = toPark.stream().sorted(BY_PLACE).toList();
        jdbc.update(
                FORGET_CLOSED,
                column(events, ParkedEvent::topic, String[]::new),
                column(events, ParkedEvent::partition, Integer[]::new),
                column(events, ParkedEvent::offset, Long[]::new),
                consumer);
        Set<UUID> rows = new HashSet<>(jdbc.query(
                PARK,
                (row, n) -> row.getObject(1, UUID.class),
                consumer,
                column(events, ParkedEvent::id, UUID[]::new),
                column(events, ParkedEvent::topic, String[]::new),
                column(events, ParkedEvent::partition, Integer[]::new),
                column(events, ParkedEvent::offset, Long[]::new),
                column(events, ParkedEvent::key, String[]::new),
                column(events, ParkedEvent::eventId, UUID[]::new),
                column(events, ParkedEvent::eventType, String[]::new),
                column(events, ParkedEvent::payload, byte[][]::new),
                column(events, event -> HeadersJson.write(event.headers()), String[]::new),
                column(events, ParkedEvent::reason, String[]::new),
                column(events, event -> event.status().name(), String[]::new)));
        refuseToLose(events, rows);
        List<ParkedEvent> parked =
                events.stream().filter(event -> rows.contains(event.id())).toList();
        raiseAlarm(
                parked.stream().filter(event -> event.status() == Status.PARKED).toList());
        return parked;
    }

    /** Whatever was not written now must have been written before. */
    private void refuseToLose(List<ParkedEvent> events, Set<UUID> written) {
        UUID[] others = events.stream()
                .map(ParkedEvent::id)
                .filter(id -> !written.contains(id))
                .toArray(UUID[]::new);
        if (others.length == 0) {
            return;
        }
        Integer found = jdbc.queryForObject(
                "select count(*) from parked_events where id = any(?::uuid[])", Integer.class, (Object) others);
        if (found == null || found != others.length) {
            throw new IllegalStateException(
                    "Another event waits at the place of one that is to be parked, as after a topic"
                            + " was created anew: redrive or skip it first. One of " + events);
        }
    }

    /** Opens the work orders of events that could not be handled, and announces them. */
    void raiseAlarm(List<ParkedEvent> failed) {
        if (failed.isEmpty()) {
            return;
        }
        Map<UUID, WorkOrder> orders = workOrders
                .openAll(failed.stream().map(this::workOrder).toList())
                .stream()
                .collect(Collectors.toMap(WorkOrder::id, Function.identity()));
        try {
            outbox.appendAll(failed.stream()
                    .map(event -> new Announcement(
                            event.id(),
                            announcer.announce(event, aboutAnAggregate(orders.get(workOrderId(event)), event)),
                            null))
                    .toList());
        } catch (RuntimeException e) {
            if (e instanceof DataAccessException || e instanceof RegistryUnavailable) {
                throw e;
            }
            // Parking must not fail for want of words; the row, the work order and the log are there.
            log.error("Parked events cannot be announced: {}", failed, e);
        }
    }

    /** Tells who is on call. To be called when the transaction has committed. */
    public static void report(List<ParkedEvent> parked) {
        for (ParkedEvent event : parked) {
            if (event.status() == Status.PARKED) {
                log.error(
                        "Parked {} (key {}, {}, event {}) as {}: {}. Later events of its key wait behind it; redrive or skip it.",
                        event.place(),
                        event.hasKey() ? event.key() : "none",
                        event.eventType(),
                        event.eventId(),
                        event.id(),
                        event.reason());
            } else {
                log.warn("Queued {} (key {}) behind a parked event of its key", event.place(), event.key());
            }
        }
    }

    /** The parked event that a work order is about, as long as it waits. */
    public Optional<UUID> waitingFor(WorkOrder order) {
        return jdbc
                .query(
                        "select id from parked_events where consumer = ? and (key = ? or id = ?) and closed_at is null",
                        (row, n) -> row.getObject(1, UUID.class),
                        consumer,
                        order.aggregateId().toString(),
                        order.aggregateId())
                .stream()
                .filter(event -> workOrderId(event).equals(order.id()))
                .findFirst();
    }

    UUID workOrderId(ParkedEvent event) {
        return workOrderId(event.id());
    }

    private UUID workOrderId(UUID event) {
        return EventIds.derive(event, consumer, WORK_ORDER_KIND, 0);
    }

    /** Closes the work order of an event that was handled after all, and says so. */
    void closeWorkOrder(ParkedEvent handled, String actor) {
        Resolution how = new Resolution("REDRIVE", actor, null);
        workOrders.lock(workOrderId(handled)).filter(WorkOrder::isOpen).ifPresent(order -> {
            workOrders.resolve(order.id(), how);
            if (aboutAnAggregate(order, handled) != null) {
                outbox.append(new Announcement(
                        EventIds.derive(order.id(), consumer, "Redriven", 0), announcer.closed(order, how), null));
            }
        });
    }

    /** Others know aggregates only; an event that names none is told of as itself. */
    private static @Nullable WorkOrder aboutAnAggregate(@Nullable WorkOrder order, ParkedEvent event) {
        return order == null || order.aggregateId().equals(event.id()) ? null : order;
    }

    private WorkOrder workOrder(ParkedEvent event) {
        return WorkOrder.about(
                workOrderId(event),
                WORK_ORDER_KIND,
                uuid(event.key()).orElse(event.id()),
                event.headers().get(MERCHANT_HEADER),
                (event.eventType() == null ? "An event" : event.eventType()) + " at " + event.place()
                        + " could not be handled by " + consumer + ": " + event.reason()
                        + ". Remove the cause and redrive parked event " + event.id() + ", or skip it.");
    }

    private static Optional<UUID> uuid(String text) {
        if (text.length() != 36) {
            return Optional.empty();
        }
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static <T extends @Nullable Object> T[] column(
            List<ParkedEvent> events, Function<ParkedEvent, T> field, IntFunction<T[]> array) {
        return events.stream().map(field).toArray(array);
    }
}
