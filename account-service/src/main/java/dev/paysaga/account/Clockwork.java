package dev.paysaga.account;

import dev.paysaga.saga.inbox.Lane;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Starts what is due, again and again: what undoes or asks, with the connections of the compensations, so that no storm of
 * requests holds it up. An outage of the database is told once, and ended by its return.
 */
@Component
final class Clockwork {

    private static final Logger log = LoggerFactory.getLogger(Clockwork.class);

    private final DueWork dueWork;
    private final BalanceRollup rollup;
    private volatile boolean away;

    Clockwork(DueWork dueWork, BalanceRollup rollup) {
        this.dueWork = dueWork;
        this.rollup = rollup;
    }

    @Scheduled(fixedDelayString = "${account.refund-poll:500ms}")
    void refunds() {
        Lane.COMPENSATION.run(() -> drain(dueWork::tryDueRefunds));
    }

    @Scheduled(fixedDelayString = "${account.hold-poll:30s}")
    void holds() {
        Lane.COMPENSATION.run(() -> drain(dueWork::reportOverdueHolds));
    }

    @Scheduled(fixedDelayString = "${account.rollup:2s}")
    void balances() {
        drain(rollup::roll);
    }

    private void drain(IntSupplier batch) {
        try {
            int done;
            do {
                done = batch.getAsInt();
            } while (DueWork.isFullBatch(done));
            away = false;
        } catch (DataAccessException | TransactionException e) {
            if (!away) {
                log.warn("What is due waits for the database: {}", e.toString());
            }
            away = true;
        }
    }
}
