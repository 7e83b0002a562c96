package dev.paysaga.saga.inbox;

import dev.paysaga.events.OrderPaid;
import dev.paysaga.saga.outbox.OtherHalf;

/** A business word, a business event, and one half of a circle. */
public final class PaymentOffender {

    OrderPaid paid(OtherHalf half) {
        return half.paid(this);
    }
}
