package dev.paysaga.saga.outbox;

import dev.paysaga.events.OrderPaid;
import dev.paysaga.saga.inbox.PaymentOffender;

/** The other half of the circle. */
public final class OtherHalf {

    public OrderPaid paid(PaymentOffender offender) {
        throw new UnsupportedOperationException(offender.toString());
    }
}
