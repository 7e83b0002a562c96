package dev.paysaga.account;

import dev.paysaga.account.PaymentStore.Concern;
import dev.paysaga.account.domain.Decision;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.Reactions;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * What account does because time has passed, by the database's clock: due attempts of refunds, and holds that nobody decides
 * about. Found through partial indexes, so that the settled millions cost nothing; rows that another replica works on are
 * left to it.
 */
@Component
final class DueWork {

    /** In one transaction, so that a backlog holds no lock for long. */
    private static final int AT_ONCE = 100;

    private final PaymentStore store;
    private final JdbcClient jdbc;
    private final TransactionOperations transaction;
    private final Outbox outbox;
    private final AccountProperties properties;

    DueWork(
            PaymentStore store,
            JdbcClient jdbc,
            TransactionOperations transaction,
            Outbox outbox,
            AccountProperties properties) {
        this.store = store;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.outbox = outbox;
        this.properties = properties;
    }

    /** @return how many refunds were tried; fewer than there may be more of, if it is a full batch */
    int tryDueRefunds() {
        return Objects.requireNonNull(transaction.execute(status -> {
            List<DueRefund> due = dueRefunds();
            if (due.isEmpty()) {
                return 0;
            }
            Books books = store.lock(
                    due.stream().map(refund -> Concern.about(refund.orderId())).toList());
            var announcements = new ArrayList<Announcement>();
            for (DueRefund refund : due) {
                Payment now = books.payment(refund.orderId());
                UUID cause = EventIds.derive(
                        refund.orderId(), "account", "RefundAttempt/" + refund.refundNo(), refund.attempts());
                Decision decision = Reactions.retryRefund(refund.refundNo(), now, books.parties(now), books.attempts());
                books.keep(cause, now, decision);
                announcements.add(new Announcement(cause, decision.events(), null));
            }
            store.save(books);
            outbox.appendAll(announcements);
            return due.size();
        }));
    }

    /** @return about how many holds a person was asked */
    int reportOverdueHolds() {
        return Objects.requireNonNull(transaction.execute(status -> {
            List<UUID> overdue = overdueHolds();
            if (overdue.isEmpty()) {
                return 0;
            }
            Books books = store.lock(overdue.stream().map(Concern::about).toList());
            var announcements = new ArrayList<Announcement>();
            for (UUID orderId : overdue) {
                Payment now = books.payment(orderId);
                UUID cause = EventIds.derive(orderId, "account", "HoldOverdue", 0);
                Decision decision = Reactions.holdOverdue(now, books.parties(now));
                books.keep(cause, now, decision);
                announcements.add(new Announcement(cause, decision.events(), null));
            }
            store.save(books);
            jdbc.sql("update payments set overdue = true where order_id = any(?)")
                    .param(overdue.toArray(UUID[]::new))
                    .update();
            outbox.appendAll(announcements);
            return overdue.size();
        }));
    }

    static boolean isFullBatch(int done) {
        return done == AT_ONCE;
    }

    /**
     * Locks the refunds, too: of a row that another replica has just tried, PostgreSQL then looks at the new version, which is
     * not due, and not at the one that was there when this statement began.
     */
    private List<DueRefund> dueRefunds() {
        return jdbc.sql("""
                        select r.order_id, r.refund_no, r.attempts
                          from payment_refunds r join payments p using (order_id)
                         where r.state = 1 and r.next_attempt_at <= clock_timestamp()
                         order by r.next_attempt_at
                         limit ?
                           for update of p, r skip locked
                        """)
                .param(AT_ONCE)
                .query((row, n) -> new DueRefund(
                        row.getObject("order_id", UUID.class), row.getString("refund_no"), row.getInt("attempts")))
                .list();
    }

    private List<UUID> overdueHolds() {
        return jdbc.sql("""
                        select order_id from payments
                         where state = 3 and not overdue
                           and updated_at < clock_timestamp() - make_interval(secs => ?)
                         order by updated_at
                         limit ?
                           for update skip locked
                        """)
                .params(properties.holdOverdue().toMillis() / 1000.0, AT_ONCE)
                .query((row, n) -> row.getObject("order_id", UUID.class))
                .list();
    }

    /** @param attempts those made so far */
    private record DueRefund(UUID orderId, String refundNo, int attempts) {}
}
