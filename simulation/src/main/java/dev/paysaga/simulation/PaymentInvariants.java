package dev.paysaga.simulation;

import static dev.paysaga.explorer.Invariant.always;
import static dev.paysaga.explorer.Invariant.atRest;

import dev.paysaga.account.domain.Payment;
import dev.paysaga.explorer.Invariant;
import dev.paysaga.explorer.View;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.inventory.domain.Shelves;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.Refund;
import dev.paysaga.order.domain.RefundStatus;
import dev.paysaga.simulation.AccountRole.Bank;
import dev.paysaga.simulation.AccountRole.Money;
import dev.paysaga.simulation.InventoryRole.Stock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What must hold between the services, under names one would say aloud. */
public final class PaymentInvariants {

    private static final Set<Reservation.Status> NO_STOCK =
            Set.of(Reservation.Status.RELEASED, Reservation.Status.REJECTED, Reservation.Status.REFUSED);
    private static final Set<Payment.Status> NO_MONEY =
            Set.of(Payment.Status.REVERSED, Payment.Status.FAILED, Payment.Status.CANCELED);

    private PaymentInvariants() {}

    /** All of them, for a world with so many units on the shelf at the beginning. */
    static List<Invariant> all(long stock) {
        return List.of(
                always("money is conserved", PaymentInvariants::moneyIsConserved),
                always("what is held is what is authorized", PaymentInvariants::holdsAreAuthorizations),
                always(
                        "no money moves twice",
                        each(saga -> saga.money().postedTwice() ? "a ledger id came twice" : null)),
                always("stock is conserved", world -> stockIsConserved(world, stock)),
                always(
                        "never both captured and canceled",
                        each(saga -> saga.captured() && saga.status().isCanceling()
                                ? "captured, and " + saga.status()
                                : null)),
                always("the pivot is never undone", each(PaymentInvariants::pivotStands)),
                always("canceled means settled", each(PaymentInvariants::canceledMeansSettled)),
                always("refunds are bounded by the capture", each(PaymentInvariants::refundsAreBounded)),
                always(
                        "the merchant owes no more than was captured past its account",
                        PaymentInvariants::merchantIsGoodForIt),
                always("suspense is covered by work orders", PaymentInvariants::suspenseIsCovered),
                always("no outcome is announced that is not so", each(PaymentInvariants::toldTheTruth)),
                atRest(
                        "nothing rests unless settled or in a person's hands",
                        eachAtRest(saga -> saga.isTerminal() || saga.hasPerson() ? null : saga.status() + " at rest")),
                atRest("a settled order holds nothing", eachAtRest(PaymentInvariants::holdsNothing)),
                atRest("paid means captured and committed", eachAtRest(PaymentInvariants::paidMeansBoth)),
                atRest("order and ledger agree on refunds", eachAtRest(PaymentInvariants::refundsAgree)),
                atRest("what was to come back is back", eachAtRest(PaymentInvariants::restocked)),
                atRest("the merchant is told every outcome", eachAtRest(PaymentInvariants::toldEverything)));
    }

    /** Whether every order is where it can stay. */
    static boolean settled(View world) {
        for (int i = 0; i < world.sagas(); i++) {
            var saga = new Saga(world, i);
            if (saga.order().isPresent() && !saga.isTerminal()
                    || world.inFlight(i)
                    || saga.money().hasOpenWorkOrder()) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String moneyIsConserved(View world) {
        Bank bank = bank(world);
        long sum = bank.payer().posted() + bank.takings() + bank.suspense() + bank.external();
        return sum == 0 ? null : "the ledger sums to " + sum;
    }

    private static @Nullable String holdsAreAuthorizations(View world) {
        long authorized = sum(world, saga -> saga.payment().status() == Payment.Status.AUTHORIZED ? Cast.PRICE : 0);
        long held = bank(world).payer().held();
        return held == authorized ? null : "held " + held + ", authorized " + authorized;
    }

    private static @Nullable String stockIsConserved(View world, long stock) {
        Shelf shelf = Objects.requireNonNull(
                world.<Shelves>shared(InventoryRole.NAME).bySku().get(Cast.TEA));
        long reserved = sum(world, saga -> saga.reservation().status() == Reservation.Status.RESERVED ? 1 : 0);
        long committed = sum(world, saga -> saga.reservation().status() == Reservation.Status.COMMITTED ? 1 : 0);
        long back = sum(world, saga -> saga.unitsBack());
        if (shelf.reserved() != reserved) {
            return "reserved " + shelf.reserved() + ", reservations " + reserved;
        }
        if (back > committed) {
            return "put back " + back + " of " + committed;
        }
        return shelf.onHand() == stock - committed + back
                ? null
                : "on hand " + shelf.onHand() + " of " + stock + ", committed " + committed + ", put back " + back;
    }

    private static @Nullable String pivotStands(Saga saga) {
        boolean beyond = saga.captured() || saga.reservation().status() == Reservation.Status.COMMITTED;
        boolean before = !saga.status().isPaid() && saga.status() != OrderStatus.CONFIRMED;
        return beyond && before ? "captured or committed, and the order is " + saga.status() : null;
    }

    private static @Nullable String canceledMeansSettled(Saga saga) {
        if (saga.status() != OrderStatus.CANCELED) {
            return null;
        }
        if (!NO_STOCK.contains(saga.reservation().status())) {
            return "canceled, and the reservation is " + saga.reservation().status();
        }
        return NO_MONEY.contains(saga.payment().status())
                ? null
                : "canceled, and the payment is " + saga.payment().status();
    }

    private static @Nullable String refundsAreBounded(Saga saga) {
        long captured = saga.captured() ? Cast.PRICE : 0;
        long back = saga.payment().refundedAmount();
        if (back > captured) {
            return "paid back " + back + " of " + captured;
        }
        long said = saga.order().map(Order::refundedAmount).orElse(0L);
        return said > Cast.PRICE ? "the order counts " + said + " of " + Cast.PRICE + " as paid back" : null;
    }

    /**
     * A refund is the merchant's to pay, also when the capture is in suspense because the merchant's account was not
     * open: then the account is in debt until the suspense is resolved.
     */
    private static @Nullable String merchantIsGoodForIt(View world) {
        long elsewhere = sum(world, saga -> saga.money().capturedElsewhere());
        long takings = bank(world).takings();
        return takings + elsewhere < 0 ? "takings " + takings + ", captured elsewhere " + elsewhere : null;
    }

    private static @Nullable String suspenseIsCovered(View world) {
        long covered = sum(world, saga -> saga.money().suspended());
        long suspense = bank(world).suspense();
        return suspense == covered ? null : "in suspense " + suspense + ", open work orders " + covered;
    }

    private static @Nullable String toldTheTruth(Saga saga) {
        Set<String> told = saga.told();
        if (told.contains("OrderPaid") && told.contains("OrderClosed")) {
            return "told both paid and closed";
        }
        if (told.contains("OrderClosed") && saga.status() != OrderStatus.CANCELED) {
            return "told closed, and the order is " + saga.status();
        }
        for (Refund refund : saga.refunds()) {
            if (told.contains("OrderRefunded/" + refund.refundNo())
                    && told.contains("OrderRefundFailed/" + refund.refundNo())) {
                return "told both that " + refund.refundNo() + " was paid and that it failed";
            }
        }
        return null;
    }

    private static @Nullable String holdsNothing(Saga saga) {
        if (!saga.isTerminal()) {
            return null;
        }
        if (saga.payment().status() == Payment.Status.AUTHORIZED) {
            return "a hold is left on an order that is " + saga.status();
        }
        return saga.reservation().status() == Reservation.Status.RESERVED
                ? "stock is left reserved for an order that is " + saga.status()
                : null;
    }

    private static @Nullable String paidMeansBoth(Saga saga) {
        if (!saga.status().isPaid()) {
            return null;
        }
        return saga.captured() && saga.reservation().status() == Reservation.Status.COMMITTED
                ? null
                : "order " + saga.status() + ", payment " + saga.payment().status() + ", reservation "
                        + saga.reservation().status();
    }

    private static @Nullable String refundsAgree(Saga saga) {
        if (saga.hasPerson()) {
            return null;
        }
        long said = saga.order().map(Order::refundedAmount).orElse(0L);
        long paid = saga.payment().refundedAmount();
        return said == paid ? null : "the order says " + said + ", the ledger " + paid;
    }

    private static @Nullable String restocked(Saga saga) {
        if (saga.hasPerson()) {
            return null;
        }
        long asked = saga.refunds().stream()
                .filter(refund -> refund.status() == RefundStatus.COMPLETED)
                .filter(refund -> !refund.terms().restock().isEmpty())
                .count();
        return asked == saga.unitsBack() ? null : "asked to put back " + asked + ", done " + saga.unitsBack();
    }

    private static @Nullable String toldEverything(Saga saga) {
        if (saga.hasPerson()) {
            return null;
        }
        var expected = new TreeSet<String>();
        if (saga.status().isPaid()) {
            expected.add("OrderPaid");
        }
        if (saga.status() == OrderStatus.CANCELED) {
            expected.add("OrderClosed");
        }
        for (Refund refund : saga.refunds()) {
            switch (refund.status()) {
                case COMPLETED -> expected.add("OrderRefunded/" + refund.refundNo());
                case FAILED -> expected.add("OrderRefundFailed/" + refund.refundNo());
                default -> {}
            }
        }
        return expected.equals(saga.told()) ? null : "told " + saga.told() + ", should be " + expected;
    }

    // ---- one saga of a world ----

    /** The four services' states of one order. */
    private record Saga(View world, int number) {

        Optional<Order> order() {
            return OrderRole.order(world.local(number, OrderRole.NAME));
        }

        OrderStatus status() {
            return order().map(Order::status).orElse(OrderStatus.UNSEEN);
        }

        List<Refund> refunds() {
            return order().map(Order::refunds).orElse(List.of());
        }

        Reservation reservation() {
            return world.<Stock>local(number, InventoryRole.NAME).reservation();
        }

        long unitsBack() {
            return world.<Stock>local(number, InventoryRole.NAME).restocks().byRefundNo().values().stream()
                    .mapToLong(units -> units.of(Cast.TEA))
                    .sum();
        }

        Money money() {
            return world.local(number, AccountRole.NAME);
        }

        Payment payment() {
            return money().payment();
        }

        boolean captured() {
            return AccountRole.CAPTURED.contains(payment().status());
        }

        Set<String> told() {
            return NotificationRole.told(world.local(number, NotificationRole.NAME));
        }

        boolean hasPerson() {
            return world.isParked(number) || world.wasSkipped(number) || money().hasOpenWorkOrder();
        }

        boolean isTerminal() {
            return status() == OrderStatus.CANCELED || status().isPaid() && status() != OrderStatus.REFUNDING;
        }

        boolean isParked() {
            return world.isParked(number);
        }
    }

    private static Invariant.Check each(Function<Saga, @Nullable String> check) {
        return world -> {
            for (int i = 0; i < world.sagas(); i++) {
                String wrong = check.apply(new Saga(world, i));
                if (wrong != null) {
                    return wrong;
                }
            }
            return null;
        };
    }

    /** As {@link #each}, but a saga with a parked event rests until a person has dealt with it. */
    private static Invariant.Check eachAtRest(Function<Saga, @Nullable String> check) {
        return each(saga -> saga.isParked() ? null : check.apply(saga));
    }

    private static long sum(View world, ToLongFunction<Saga> of) {
        long sum = 0;
        for (int i = 0; i < world.sagas(); i++) {
            sum += of.applyAsLong(new Saga(world, i));
        }
        return sum;
    }

    private static Bank bank(View world) {
        return world.shared(AccountRole.NAME);
    }
}
