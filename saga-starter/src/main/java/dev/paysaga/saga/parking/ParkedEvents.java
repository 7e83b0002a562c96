package dev.paysaga.saga.parking;

import dev.paysaga.saga.parking.ParkedEvent.Status;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrders;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/**
 * What a person does about events that could not be handled: look, redrive, skip.
 *
 * <p>A redrive goes through the queue of the event's key in order, one transaction per event, each event once. As long as
 * one of them waits, events that come now queue up behind it.
 */
public final class ParkedEvents {

    private static final Logger log = LoggerFactory.getLogger(ParkedEvents.class);

    /** How often a step that lost a race or a connection is tried before the person is told to come back. */
    private static final int TRIES = 3;

    private final String consumer;
    private final JdbcOperations jdbc;
    private final TransactionOperations transaction;
    private final Rehandler rehandler;
    private final ParkingLot lot;
    private final WorkOrders workOrders;

    public ParkedEvents(
            String consumer,
            JdbcOperations jdbc,
            TransactionOperations transaction,
            Rehandler rehandler,
            ParkingLot lot,
            WorkOrders workOrders) {
        this.consumer = consumer;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.rehandler = rehandler;
        this.lot = lot;
        this.workOrders = workOrders;
    }

    /** How a redrive or a skip ended. */
    public enum Outcome {
        /** The event and everything behind it is done with. */
        DONE,
        /** One event of the queue could not be handled; it and everything behind it wait. */
        STILL_PARKED,
        /** The event waits behind another one of its key, which comes first. */
        NOT_FIRST,
        /** The event was redriven or skipped before. */
        CLOSED_BEFORE,
        /** There is no such parked event. */
        UNKNOWN
    }

    /**
     * What a redrive or a skip led to.
     *
     * @param outcome how it ended
     * @param handled how many events were handled
     * @param stopped the event that could not be handled; null unless the outcome is STILL_PARKED
     */
    public record Release(
            Outcome outcome, int handled, @Nullable ParkedEvent stopped) {}

    /** As {@link #redrive(UUID, String)}, for the service itself. */
    public Release redrive(UUID id) {
        return redrive(id, consumer);
    }

    /**
     * Handles an event that was parked, then everything that queued up behind it, in order. The work order of each event that
     * is handled is closed.
     *
     * @param actor who decided
     */
    public Release redrive(UUID id, String actor) {
        return refusal(id).orElseGet(() -> release(id, actor));
    }

    /**
     * Does without an event for good: should it be delivered again, it is a duplicate. Then everything that queued up behind
     * it is handled, in order. Its work order stays open, since what it would have led to is still missing.
     *
     * @param actor who decided
     */
    public Release skip(UUID id, String actor) {
        return refusal(id).orElseGet(() -> {
            Step step = Objects.requireNonNull(transaction.execute(status -> skipHead(id)));
            if (step.ended != null) {
                return new Release(step.ended, 0, null);
            }
            log.info("Skipped parked event {} as {} decided", id, actor);
            return step.next == null ? new Release(Outcome.DONE, 0, null) : release(step.next, actor);
        });
    }

    public Optional<ParkedEvent> find(UUID id) {
        return jdbc.query("select * from parked_events where id = ?", ParkedEvents::read, id).stream()
                .findFirst();
    }

    /**
     * Parked events, oldest first.
     *
     * @param status only these; null for all
     * @param after the last one of the page before; null for the first page
     * @param limit how many at most
     */
    public List<ParkedEvent> list(@Nullable Status status, @Nullable UUID after, int limit) {
        String only = status == null ? null : status.name();
        return jdbc.query("""
                select * from parked_events p
                where p.consumer = ? and (?::text is null or p.status = ?)
                  and (?::uuid is null
                       or (p.parked_at, p."offset", p.id)
                        > (select a.parked_at, a."offset", a.id from parked_events a where a.id = ?))
                order by p.parked_at, p."offset", p.id
                limit ?
                """, ParkedEvents::read, consumer, only, only, after, after, limit);
    }

    /** The event that a work order is about, as long as it waits. */
    public Optional<ParkedEvent> waitingFor(WorkOrder order) {
        return lot.waitingFor(order).flatMap(this::find);
    }

    /**
     * Forgets events that were redriven or skipped longer ago than this. Those whose aggregate a person still has to decide
     * about stay, for that person.
     *
     * @return how many were forgotten
     */
    public int purge(Duration retention) {
        return jdbc.update("""
                delete from parked_events p
                 where p.consumer = ? and p.closed_at < now() - make_interval(secs => ?)
                   and not exists (select from work_orders w
                                    where w.status = 'OPEN' and w.kind = ?
                                      and (w.aggregate_id::text = p.key or w.aggregate_id = p.id))
                """, consumer, retention.toMillis() / 1000.0, ParkingLot.WORK_ORDER_KIND);
    }

    /** How many events wait for a person, with those behind them. */
    public long waiting() {
        Long count = jdbc.queryForObject(
                "select count(*) from parked_events where consumer = ? and closed_at is null", Long.class, consumer);
        return Objects.requireNonNull(count);
    }

    private Optional<Release> refusal(UUID id) {
        Outcome outcome = find(id).map(event -> switch (event.status()) {
                    case PARKED -> Outcome.DONE;
                    case QUEUED -> Outcome.NOT_FIRST;
                    case REDRIVEN, SKIPPED -> Outcome.CLOSED_BEFORE;
                })
                .orElse(Outcome.UNKNOWN);
        return outcome == Outcome.DONE ? Optional.empty() : Optional.of(new Release(outcome, 0, null));
    }

    private Release release(UUID first, String actor) {
        int handled = 0;
        UUID head = first;
        while (head != null) {
            Step step = step(head, actor);
            if (step.failed != null) {
                return new Release(Outcome.STILL_PARKED, handled, step.failed);
            }
            if (step.ended != null) {
                // Somebody else redrives the same queue at this moment, and goes on with it.
                return new Release(handled == 0 ? step.ended : Outcome.DONE, handled, null);
            }
            handled++;
            head = step.next;
        }
        return new Release(Outcome.DONE, handled, null);
    }

    private Step step(UUID head, String actor) {
        for (int attempt = 1; ; attempt++) {
            try {
                return Objects.requireNonNull(transaction.execute(status -> redriveHead(head, actor)));
            } catch (RuntimeException e) {
                boolean passing = rehandler.isTransient(e);
                if (passing && attempt == TRIES) {
                    throw e;
                }
                if (!passing) {
                    return Objects.requireNonNull(transaction.execute(status -> leaveParked(head, e)));
                }
            }
        }
    }

    private Step redriveHead(UUID id, String actor) {
        ParkedEvent head = lockHead(id);
        if (head == null) {
            return Step.ended(Outcome.CLOSED_BEFORE);
        }
        rehandler.rehandle(head);
        close(head, Status.REDRIVEN);
        lot.closeWorkOrder(head, actor);
        log.info("Redrove {} (key {}), parked as {}", head.place(), head.key(), head.id());
        return Step.goOnWith(promoteNext(head));
    }

    private Step skipHead(UUID id) {
        ParkedEvent head = lockHead(id);
        if (head == null) {
            return Step.ended(Outcome.CLOSED_BEFORE);
        }
        jdbc.update(
                "insert into inbox (consumer, event_id, topic) values (?, ?, ?) on conflict do nothing",
                consumer,
                head.eventId(),
                head.topic());
        close(head, Status.SKIPPED);
        return Step.goOnWith(promoteNext(head));
    }

    private Step leaveParked(UUID id, RuntimeException failure) {
        ParkedEvent head = lockHead(id);
        if (head == null) {
            return Step.ended(Outcome.CLOSED_BEFORE);
        }
        ParkedEvent failed = head.because(rehandler.reason(failure));
        jdbc.update("update parked_events set reason = ? where id = ?", failed.reason(), id);
        if (workOrders.find(lot.workOrderId(failed)).isEmpty()) {
            lot.raiseAlarm(List.of(failed));
        }
        ParkingLot.report(List.of(failed));
        return Step.failed(failed);
    }

    private @Nullable ParkedEvent lockHead(UUID id) {
        return jdbc
                .query(
                        "select * from parked_events where id = ? and status = 'PARKED' for update",
                        ParkedEvents::read,
                        id)
                .stream()
                .findFirst()
                .orElse(null);
    }

    private void close(ParkedEvent event, Status status) {
        jdbc.update("update parked_events set status = ?, closed_at = now() where id = ?", status.name(), event.id());
    }

    /** The next of the queue becomes its head before the old one is let go: the queue is never without a head. */
    private @Nullable UUID promoteNext(ParkedEvent head) {
        if (!head.hasKey()) {
            return null;
        }
        return jdbc.query("""
                        update parked_events set status = 'PARKED'
                        where id = (select id from parked_events
                                    where consumer = ? and topic = ? and key = ? and status = 'QUEUED' and closed_at is null
                                    order by "offset" limit 1)
                        returning id
                        """, (row, n) -> row.getObject(1, UUID.class), consumer, head.topic(), head.key()).stream()
                .findFirst()
                .orElse(null);
    }

    private static ParkedEvent read(ResultSet row, int n) throws SQLException {
        return new ParkedEvent(
                row.getObject("id", UUID.class),
                row.getString("consumer"),
                row.getString("topic"),
                row.getInt("partition"),
                row.getLong("offset"),
                row.getString("key"),
                row.getObject("event_id", UUID.class),
                row.getString("event_type"),
                row.getBytes("payload"),
                HeadersJson.read(row.getString("headers")),
                row.getString("reason"),
                Status.valueOf(row.getString("status")),
                instant(row.getTimestamp("parked_at")),
                instant(row.getTimestamp("closed_at")));
    }

    private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
        return timestamp == null ? null : timestamp.toInstant();
    }

    /** One transaction of a release: on to the next event, or the end. */
    private record Step(
            @Nullable UUID next,
            @Nullable Outcome ended,
            @Nullable ParkedEvent failed) {

        static Step goOnWith(@Nullable UUID next) {
            return new Step(next, null, null);
        }

        static Step ended(Outcome outcome) {
            return new Step(null, outcome, null);
        }

        static Step failed(ParkedEvent event) {
            return new Step(null, null, event);
        }
    }
}
