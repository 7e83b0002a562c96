package dev.paysaga.stack.chaos;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.stack.chaos.Promise.Terms;
import dev.paysaga.stack.events.Publisher;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.wire.ConfluentWire;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Orders that come as events. */
final class Requests implements AutoCloseable {

    private static final String TOPIC = "order.requests";
    private static final int ATTEMPTS = 5;
    private static final long BETWEEN = TimeUnit.SECONDS.toNanos(2);

    private final Promises promises;
    private final Publisher publisher;

    Requests(PaymentSystem system, Promises promises) {
        this.promises = promises;
        this.publisher =
                new Publisher(new PaymentSaga(), ConfluentWire.of(system.registryUrl()), system.bootstrapServers());
    }

    /** Publishes a request; again until the broker has it, as a careful system does. */
    void publish(Terms terms) throws InterruptedException {
        var event = new OrderRequested(
                terms.merchant(),
                terms.outTradeNo(),
                terms.payer(),
                terms.currency(),
                terms.amount(),
                List.of(new OrderLine(terms.sku(), terms.quantity(), terms.amount() / terms.quantity())),
                null);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                publisher.publish(TOPIC, List.of(event), null);
                promises.add(new Promise.Requested(Instant.now(), terms));
                return;
            } catch (ExecutionException | RuntimeException away) {
                promises.unanswered(terms.key());
                LockSupport.parkNanos(BETWEEN);
            }
        }
    }

    @Override
    public void close() {
        publisher.close();
    }
}
