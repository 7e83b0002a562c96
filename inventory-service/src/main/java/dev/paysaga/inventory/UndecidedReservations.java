package dev.paysaga.inventory;

import dev.paysaga.events.WorkOrderOpened;
import dev.paysaga.events.WorkOrderResolved;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Resolution;
import dev.paysaga.saga.workorder.WorkOrders;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Reservations that are older than any order may take: nothing is guessed, a person is asked, once. A reservation that is
 * decided after all closes the question itself.
 */
@Component
final class UndecidedReservations {

    /** The kind of work order. */
    static final String KIND = "RESERVATION_UNDECIDED";

    /** Part of event ids: never to be changed. */
    private static final String INVENTORY = "inventory";

    private static final String SETTLED = "SETTLED";

    private final JdbcOperations jdbc;
    private final WorkOrders workOrders;
    private final Outbox outbox;

    UndecidedReservations(JdbcOperations jdbc, WorkOrders workOrders, Outbox outbox) {
        this.jdbc = jdbc;
        this.workOrders = workOrders;
        this.outbox = outbox;
    }

    /**
     * Asks about those that have stood for longer than this, by the database's clock, in the caller's transaction; those that
     * another replica asks about are left to it.
     *
     * @param limit how many at most
     * @return how many there were
     */
    int askAbout(Duration overdue, int limit) {
        List<WorkOrder> questions = jdbc.query(
                """
                update reservations r set overdue = true
                  from (select order_id from reservations
                         where state = 1 and not overdue
                           and updated_at < clock_timestamp() - make_interval(secs => ?)
                         order by updated_at
                         limit ?
                           for update skip locked) old
                 where r.order_id = old.order_id
                returning r.order_id, r.merchant_id
                """,
                (row, n) -> question(row.getObject("order_id", UUID.class), row.getString("merchant_id")),
                overdue.toMillis() / 1000.0,
                limit);
        outbox.appendAll(workOrders.openAll(questions).stream()
                .map(UndecidedReservations::opened)
                .toList());
        return questions.size();
    }

    /** It was decided after all. */
    void close(Reservation decided) {
        UUID id = idOf(decided.orderId());
        if (workOrders.resolve(id, new Resolution(SETTLED, INVENTORY, "the reservation was decided after all"))) {
            outbox.append(new Announcement(
                    EventIds.derive(id, INVENTORY, "Settled", 0),
                    List.of(new WorkOrderResolved(id, decided.orderId(), decided.merchantId(), SETTLED, INVENTORY)),
                    null));
        }
    }

    private static UUID idOf(UUID orderId) {
        return EventIds.derive(orderId, INVENTORY, KIND, 0);
    }

    private static WorkOrder question(UUID orderId, String merchantId) {
        return WorkOrder.about(
                idOf(orderId),
                KIND,
                orderId,
                merchantId,
                "The reservation of order " + orderId
                        + " was neither committed nor released in time. Look at the order, and"
                        + " for parked events of it at every service; confirming or canceling the order settles it, WRITE_OFF"
                        + " closes the question.");
    }

    private static Announcement opened(WorkOrder order) {
        return new Announcement(
                order.id(),
                List.of(new WorkOrderOpened(
                        order.id(),
                        order.aggregateId(),
                        String.valueOf(order.merchantId()),
                        KIND,
                        null,
                        null,
                        order.detail())),
                null);
    }
}
