package dev.paysaga.inventory;

import dev.paysaga.saga.inbox.Lane;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionOperations;

/** Looks for reservations nobody decides about, again and again, with the connections of the compensations. */
@Component
final class Clockwork {

    /** In one transaction, so that a backlog holds no lock for long. */
    private static final int AT_ONCE = 100;

    private static final Logger log = LoggerFactory.getLogger(Clockwork.class);

    private final UndecidedReservations undecided;
    private final TransactionOperations transaction;
    private final InventoryProperties properties;

    Clockwork(UndecidedReservations undecided, TransactionOperations transaction, InventoryProperties properties) {
        this.undecided = undecided;
        this.transaction = transaction;
        this.properties = properties;
    }

    @Scheduled(fixedDelayString = "${inventory.reservation-poll:30s}")
    void reservations() {
        Lane.COMPENSATION.run(() -> {
            try {
                int asked;
                do {
                    asked = Objects.requireNonNull(transaction.execute(
                            status -> undecided.askAbout(properties.reservationOverdue(), AT_ONCE)));
                } while (asked == AT_ONCE);
            } catch (DataAccessException | TransactionException e) {
                log.warn("Overdue reservations wait for the database: {}", e.toString());
            }
        });
    }
}
