package dev.paysaga.wire;

import dev.paysaga.events.OrderPaid;

/** A codec that knows one event. */
final class Offender {

    OrderPaid event() {
        return new OrderPaid();
    }
}
