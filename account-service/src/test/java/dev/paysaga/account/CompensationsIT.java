package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.saga.inbox.Reactor;
import dev.paysaga.saga.inbox.ReceivedEvent;
import dev.paysaga.testkit.Records;
import dev.paysaga.wire.ConfluentWire;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.TransientDataAccessException;

/** Compensations that come too often, for nothing, or all at once. */
class CompensationsIT extends OnRealServers {

    @Autowired
    private Reactor<?> reactor;

    @Autowired
    private ConfluentWire wire;

    @Test
    void twoCopiesOfACompensationAtOnceOnTwoReplicasMakeOneFence() throws Exception {
        openAccounts("EUR", 1000);
        for (int round = 0; round < 20; round++) {
            UUID order = newOrder();
            var records = new Records(wire, new PaymentSaga());
            var copy = records.of(newOrder(), new OrderCanceled(order, merchant, "TIMED_OUT"));
            var sentAgain = records.of(newOrder(), new OrderCanceled(order, merchant, "TIMED_OUT"));

            atOnce(Stream.of(copy, copy, sentAgain)
                    .<Callable<Boolean>>map(received -> () -> {
                        while (true) {
                            try {
                                reactor.handle(List.of(received));
                                return true;
                            } catch (TransientDataAccessException e) {
                                // as the listener does
                            }
                        }
                    })
                    .toList());

            assertThat(stateOf(order)).isEqualTo("10 v1");
            assertThat(history(order)).containsExactly("0>10 v1");
            assertThat(jdbc.sql("select count(*) from parked_events where key = ?")
                            .param(order.toString())
                            .query(Long.class)
                            .single())
                    .isZero();
        }
        assertThat(jdbc.sql("select deadlocks from pg_stat_database where datname = current_database()")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(wallet()).isEqualTo("1000/0");
    }

    @Test
    void aHoldWhoseTransactionWasRolledBackIsVoidedInAdvanceAndNothingIsUndoneThatWasNotDone() {
        openAccounts("EUR", 1000);
        UUID order = newOrder();
        transaction.executeWithoutResult(status -> {
            var asked = new ReceivedEvent(newOrder(), reserved(order, "EUR", 300), "", "", null);
            Books books = account.load(List.of(asked));
            account.react(asked, books);
            account.save(books);
            status.setRollbackOnly();
        });

        assertThat(announce(List.of(new OrderCanceled(order, merchant, "TIMED_OUT"))))
                .singleElement()
                .hasToString("{\"orderId\": \"%s\", \"merchantId\": \"%s\", \"outcome\": \"REFUSED_IN_ADVANCE\"}"
                        .formatted(order, merchant));
        assertThat(announce(List.of(reserved(order, "EUR", 300))))
                .containsExactly(new PaymentDeclined(order, merchant, "ORDER_CANCELED"));
        assertThat(transfers(order)).isEmpty();
        assertThat(wallet()).isEqualTo("1000/0");
        assertTheBooksBalance();
    }

    @Test
    void aHundredRefundsRefusedAtOnceAreEachSuspendedOnceWhileOrdersGoOn() {
        openAccounts("EUR", 10_000);
        List<UUID> orders = Stream.generate(OnRealServers::newOrder).limit(100).toList();
        poll(orders.stream()
                .map(order -> reserved(order, "EUR", 10))
                .toArray(org.apache.avro.specific.SpecificRecord[]::new));
        poll(orders.stream()
                .map(order -> new OrderConfirmed(order, merchant))
                .toArray(org.apache.avro.specific.SpecificRecord[]::new));
        open("v", "WALLET", "EUR").expectStatus().isCreated();
        deposit("v", "D2", 1000).expectStatus().isCreated();
        block("w").expectStatus().isOk();

        poll(orders.stream()
                .map(order -> refund(order, "F1", "EUR", 10))
                .toArray(org.apache.avro.specific.SpecificRecord[]::new));
        var others = new ArrayList<UUID>();
        for (int tried = dueWork.tryDueRefunds(); tried > 0; tried = dueWork.tryDueRefunds()) {
            UUID other = newOrder();
            others.add(other);
            assertThat(poll(new dev.paysaga.events.StockReserved(
                            other,
                            merchant,
                            "v",
                            "EUR",
                            10L,
                            List.of(new dev.paysaga.events.OrderLine("tea", 1L, 10L)))))
                    .containsExactly("PaymentAuthorized");
        }

        assertThat(others).hasSizeGreaterThanOrEqualTo(2);
        assertThat(orders).allSatisfy(order -> {
            assertThat(transfers(order)).containsExactly("HOLD", "CAPTURE", "SUSPEND");
            assertThat(openWorkOrders(order)).hasSize(1);
        });
        assertThat(takings()).isZero();
        assertTheBooksBalance();
    }
}
