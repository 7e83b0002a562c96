package dev.paysaga.simulation;

import static dev.paysaga.simulation.Mutant.without;
import static java.util.Objects.requireNonNull;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Adjustments;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Purse;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundFailed;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.RestockLine;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.explorer.Choreography;
import dev.paysaga.explorer.Command;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import dev.paysaga.inventory.domain.Reason;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Reservation.Status;
import dev.paysaga.inventory.domain.Restock;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.inventory.domain.Shelves;
import dev.paysaga.inventory.domain.Units;
import dev.paysaga.order.domain.Ack;
import dev.paysaga.order.domain.Order;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.Refund;
import dev.paysaga.order.domain.RefundStatus;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.saga.EventIds;
import dev.paysaga.simulation.AccountRole.Bank;
import dev.paysaga.simulation.AccountRole.Money;
import dev.paysaga.simulation.InventoryRole.Stock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Every safeguard of the saga, taken away one at a time. */
final class Mutants {

    private static final PaymentWorld ONE = PaymentWorld.ofOneOrder();
    private static final String ORDER = OrderRole.NAME;
    private static final String INVENTORY = InventoryRole.NAME;
    private static final String ACCOUNT = AccountRole.NAME;

    private Mutants() {}

    static List<Mutant> all() {
        return List.of(
                // ---- fences ----
                without(
                        "inventory remembers a cancellation that overtakes its order",
                        ONE,
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderCanceled
                                        && reservation(local).status() == Status.UNSEEN
                                ? Step.of(local, shared, released("REFUSED_IN_ADVANCE"))
                                : null),
                without(
                        "account remembers a cancellation that overtakes its order",
                        ONE,
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof OrderCanceled && payment(local).status() == Payment.Status.UNSEEN
                                        ? Step.of(local, shared, voided("REFUSED_IN_ADVANCE"))
                                        : null),
                without(
                        "inventory refuses an order that comes after its cancellation",
                        ONE,
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderPlaced
                                        && reservation(local).status() == Status.REFUSED
                                ? real.react(event, unseenStock(), shared)
                                : null),
                without(
                        "account refuses a request that comes after its cancellation",
                        ONE,
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof StockReserved && payment(local).status() == Payment.Status.CANCELED
                                        ? real.react(event, unseenMoney(), shared)
                                        : null),

                // ---- the pivot ----
                without(
                        "a canceling order does not confirm",
                        ONE,
                        ORDER,
                        (event, local, shared, real) ->
                                event instanceof PaymentAuthorized && status(local) == OrderStatus.CANCELING
                                        ? Step.of(
                                                order(OrderStatus.CONFIRMED, null),
                                                shared,
                                                new OrderConfirmed(Cast.ORDER, Cast.MERCHANT))
                                        : null),
                without(
                        "a confirmed order does not go back to STOCK_RESERVED",
                        ONE,
                        ORDER,
                        (event, local, shared, real) -> event instanceof StockReserved
                                ? Step.of(order(OrderStatus.STOCK_RESERVED, null), shared)
                                : null),
                without(
                        "a canceled order is not canceled again",
                        ONE.units(0),
                        ORDER,
                        (event, local, shared, real) -> event instanceof StockRejected
                                        && status(local) == OrderStatus.CANCELED
                                ? Step.of(
                                        order(OrderStatus.CANCELING, "OUT_OF_STOCK"), shared, canceled("OUT_OF_STOCK"))
                                : null),
                without("a confirmed order is not canceled", ONE, ORDER, (event, local, shared, real) -> null)
                        .andCommand(
                                "time-out",
                                (local, shared) -> status(requireNonNull(local)) == OrderStatus.CONFIRMED
                                        ? Step.of(
                                                order(OrderStatus.CANCELING, "TIMED_OUT"),
                                                shared,
                                                canceled("TIMED_OUT"))
                                        : OrderRole.timeOut(requireNonNull(local))),
                without("PaymentAuthorized may overtake StockReserved", ONE, ORDER, (event, local, shared, real) -> {
                    if (event instanceof PaymentAuthorized && status(local) == OrderStatus.CREATED) {
                        throw new IllegalStateException("not yet reserved");
                    }
                    return null;
                }),
                without(
                        "paid only when stock is committed too",
                        ONE.refunds(1),
                        ORDER,
                        (event, local, shared, real) ->
                                event instanceof PaymentCaptured && status(local) == OrderStatus.CONFIRMED
                                        ? Step.of(paid(), shared, orderPaid())
                                        : null),
                without(
                        "paid only when the money is captured too",
                        ONE.refunds(1),
                        ORDER,
                        (event, local, shared, real) ->
                                event instanceof StockCommitted && status(local) == OrderStatus.CONFIRMED
                                        ? Step.of(paid(), shared, orderPaid())
                                        : null),

                // ---- every request is answered, from every state ----
                without(
                        "a rejected reservation answers the cancellation",
                        ONE.units(0),
                        INVENTORY,
                        silentIn(Status.REJECTED, OrderCanceled.class)),
                without(
                        "a released reservation answers the cancellation",
                        ONE.wallet(0),
                        INVENTORY,
                        silentIn(Status.RELEASED, OrderCanceled.class)),
                without(
                        "a declined payment answers the cancellation",
                        ONE.wallet(0),
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof OrderCanceled && payment(local).status() == Payment.Status.FAILED
                                        ? Step.of(local, shared)
                                        : null),
                without(
                        "a committed reservation answers the confirmation again",
                        ONE.parked(1),
                        INVENTORY,
                        silentIn(Status.COMMITTED, OrderConfirmed.class)),
                without(
                        "a captured payment answers the confirmation again",
                        ONE.parked(1),
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof OrderConfirmed
                                        && payment(local).status() == Payment.Status.CAPTURED
                                ? Step.of(local, shared)
                                : null),
                without(
                        "a reversed payment answers the cancellation again",
                        ONE.parked(1),
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof OrderCanceled && payment(local).status() == Payment.Status.REVERSED
                                        ? Step.of(local, shared)
                                        : null),
                without(
                        "a fenced payment answers the cancellation again",
                        ONE.parked(1),
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof OrderCanceled && payment(local).status() == Payment.Status.CANCELED
                                        ? Step.of(local, shared)
                                        : null),
                without(
                        "a fenced reservation answers the cancellation again",
                        ONE.parked(1),
                        INVENTORY,
                        silentIn(Status.REFUSED, OrderCanceled.class)),
                without(
                        "a completed refund answers the request again",
                        ONE.refunds(1).parked(1),
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof RefundRequested e
                                        && payment(local)
                                                .refund(e.getRefundNo())
                                                .isPresent()
                                ? Step.of(local, shared)
                                : null),
                without(
                        "the order hears of a release before it cancels",
                        ONE.wallet(0),
                        ORDER,
                        (event, local, shared, real) -> {
                            if (event instanceof StockReleased
                                    && (status(local) == OrderStatus.CREATED
                                            || status(local) == OrderStatus.STOCK_RESERVED)) {
                                throw new IllegalStateException("not canceling");
                            }
                            return null;
                        }),
                without(
                        "the order waits for the stock's answer",
                        ONE,
                        ORDER,
                        (event, local, shared, real) ->
                                event instanceof PaymentVoided && status(local) == OrderStatus.CANCELING
                                        ? closed(local, shared)
                                        : null),
                without(
                        "the order waits for the money's answer",
                        ONE,
                        ORDER,
                        (event, local, shared, real) ->
                                event instanceof StockReleased && status(local) == OrderStatus.CANCELING
                                        ? closed(local, shared)
                                        : null),

                // ---- undoing ----
                without(
                        "a declined payment gives the stock back",
                        ONE.wallet(0),
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderCanceled
                                        && reservation(local).status() == Status.RESERVED
                                ? Step.of(
                                        new Stock(
                                                new Reservation(
                                                        Cast.ORDER,
                                                        Cast.MERCHANT,
                                                        Status.RELEASED,
                                                        reservation(local).units(),
                                                        Reason.ORDER_CANCELED,
                                                        null,
                                                        0),
                                                Restocks.NONE),
                                        shared,
                                        released("RELEASED"))
                                : null),
                without("the hold is lifted when the payment is voided", ONE, ACCOUNT, (event, local, shared, real) -> {
                    if (!(event instanceof OrderCanceled) || payment(local).status() != Payment.Status.AUTHORIZED) {
                        return null;
                    }
                    Step lifted = real.react(event, local, shared);
                    return new Step(lifted.local(), shared, lifted.events());
                }),
                without(
                        "a blocked payer's hold is captured all the same",
                        ONE.refunds(1).blocked(),
                        ACCOUNT,
                        (event, local, shared, real) -> {
                            if (event instanceof OrderConfirmed
                                    && bank(shared).payer().status() != Account.Status.OPEN
                                    && payment(local).status() == Payment.Status.AUTHORIZED) {
                                throw new IllegalStateException("blocked");
                            }
                            return null;
                        }),
                without(
                                "an account with a hold is not closed",
                                ONE.refunds(1).blocked(),
                                ACCOUNT,
                                (event, local, shared, real) -> {
                                    if (event instanceof OrderCanceled
                                            && bank(shared).payer().status() == Account.Status.CLOSED
                                            && payment(local).status() == Payment.Status.AUTHORIZED) {
                                        throw new IllegalStateException("closed");
                                    }
                                    return null;
                                })
                        .andCommand("the payer's account is closed", (local, shared) -> {
                            Bank bank = bank(shared);
                            return Step.of(
                                    "",
                                    new Bank(
                                            bank.payer().with(Account.Status.CLOSED),
                                            bank.merchant(),
                                            bank.takings(),
                                            bank.suspense(),
                                            bank.external()));
                        }),

                // ---- refunds ----
                without(
                                "no refund before the order is paid",
                                ONE.refunds(1),
                                ORDER,
                                (event, local, shared, real) -> null)
                        .andCommand(
                                "merchant refunds 1",
                                (local, shared) -> OrderRole.order(requireNonNull(local))
                                                .filter(o -> o.status() == OrderStatus.CONFIRMED)
                                                .isPresent()
                                        ? Step.of(local, shared, refundRequested("refund-1", 1, List.of()))
                                        : null),
                without(
                                "order bounds refunds by what is claimed",
                                ONE.refunds(2),
                                ORDER,
                                (event, local, shared, real) -> null)
                        .andCommand(
                                "merchant refunds 2",
                                (local, shared) -> refundUnchecked(requireNonNull(local), shared, 2, List.of())),
                without(
                                "account bounds refunds by what is claimed",
                                ONE.refunds(2),
                                ACCOUNT,
                                (event, local, shared, real) -> event instanceof RefundRequested e
                                                && payment(local)
                                                        .refund(e.getRefundNo())
                                                        .isEmpty()
                                        ? paidOnceMore(e, local, shared, real)
                                        : null)
                        .andCommand(
                                "merchant refunds 2",
                                (local, shared) -> OrderRole.order(requireNonNull(local))
                                        .filter(o -> o.status().isPaid()
                                                && o.refund("refund-3").isEmpty())
                                        .map(o -> Step.of(local, shared, refundRequested("refund-3", 2, List.of())))
                                        .orElse(null)),
                without(
                        "a refund is paid once by its number",
                        ONE.refunds(1).redelivered(1),
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof RefundRequested e
                                        && payment(local)
                                                .refund(e.getRefundNo())
                                                .isPresent()
                                ? paidOnceMore(e, local, shared, real)
                                : null),
                without(
                        "a refund is restocked once by its number",
                        ONE.refunds(1).restocked().redelivered(1),
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof RefundCompleted e
                                        && !e.getRestock().isEmpty()
                                ? restockedOnceMore(e, local, shared)
                                : null),
                without(
                                "order bounds restocks by what was committed",
                                ONE.refunds(2).restocked(),
                                ORDER,
                                (event, local, shared, real) -> null)
                        .andCommand(
                                "merchant refunds 1 with the tea back",
                                (local, shared) -> refundUnchecked(requireNonNull(local), shared, 1, Cast.TEA_BACK)),
                suspendedIsFailed(without(
                        "suspended is not failed",
                        ONE.refunds(1).blocked(),
                        ACCOUNT,
                        (event, local, shared, real) -> null)),
                without(
                                "a refund in suspense has a work order",
                                ONE.refunds(1).blocked(),
                                ACCOUNT,
                                (event, local, shared, real) -> null)
                        .andCommand("refund 1 is tried again", (local, shared) -> {
                            Step step = AccountRole.retryRefund(requireNonNull(local), shared, 1);
                            if (step == null) {
                                return null;
                            }
                            Money money = (Money) step.local();
                            return new Step(
                                    new Money(money.payment(), Map.of(), money.ledger(), money.postedTwice()),
                                    step.shared(),
                                    step.events());
                        }),
                without(
                        "what is in suspense stays claimed",
                        ONE.refunds(2).blocked(),
                        ORDER,
                        (event, local, shared, real) -> event instanceof RefundSuspended e
                                ? real.react(
                                        new RefundFailed(
                                                e.getOrderId(),
                                                e.getMerchantId(),
                                                e.getRefundNo(),
                                                e.getCurrency(),
                                                e.getAmount(),
                                                "RETURNED_TO_MERCHANT"),
                                        local,
                                        shared)
                                : null),
                without(
                        "a late RefundSuspended does not undo an outcome",
                        ONE.refunds(1).blocked().redelivered(1),
                        ORDER,
                        (event, local, shared, real) -> event instanceof RefundSuspended e
                                        && OrderRole.order(local).isPresent()
                                ? Step.of(
                                        Optional.of(withRefund(
                                                OrderRole.order(local).get(), e.getRefundNo(), RefundStatus.SUSPENDED)),
                                        shared)
                                : null),
                without(
                        "the order's state follows from all its refunds",
                        ONE.refunds(2).blocked(),
                        ORDER,
                        (event, local, shared, real) -> event instanceof RefundCompleted e
                                ? ownAmountOnly(e.getRefundNo(), local, shared)
                                : null),
                without(
                                "an answer to a refund never brings back an earlier state of the order",
                                ONE.refunds(2).blocked(),
                                ORDER,
                                Mutants::backToWhatItWas)
                        .andCommand("merchant refunds 1", Mutants::rememberingWhatItWas),
                without(
                                "both answers to a refund derive the order's state",
                                ONE.refunds(2).blocked(),
                                ORDER,
                                Mutants::backToWhatItWas)
                        .and(
                                ORDER,
                                (event, local, shared, real) -> event instanceof RefundCompleted e
                                        ? ownAmountOnly(e.getRefundNo(), local, shared)
                                        : null)
                        .andCommand("merchant refunds 1", Mutants::rememberingWhatItWas),
                suspendedIsFailed(without(
                                "a refund in suspense is neither failed nor forgotten by the order",
                                ONE.refunds(2).blocked(),
                                ORDER,
                                Mutants::backToWhatItWas)
                        .andCommand("merchant refunds 1", Mutants::rememberingWhatItWas)),
                suspendedIsFailed(without(
                        "account claims what is in suspense, whatever it answered",
                        ONE.refunds(2).blocked(),
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof RefundRequested e
                                ? forgettingSuspense(e, local, shared, real)
                                : null)),
                without(
                                "somebody bounds refunds by what is claimed",
                                ONE.refunds(2),
                                ACCOUNT,
                                (event, local, shared, real) -> event instanceof RefundRequested e
                                                && payment(local)
                                                        .refund(e.getRefundNo())
                                                        .isEmpty()
                                        ? paidOnceMore(e, local, shared, real)
                                        : null)
                        .andCommand(
                                "merchant refunds 2",
                                (local, shared) -> refundUnchecked(requireNonNull(local), shared, 2, List.of())),
                without(
                                "money that came back proves nothing about stock",
                                ONE.refunds(1).parked(1),
                                ORDER,
                                (event, local, shared, real) ->
                                        event instanceof PaymentCaptured && status(local) == OrderStatus.CONFIRMED
                                                ? Step.of(paid(), shared, orderPaid())
                                                : null)
                        .and(
                                INVENTORY,
                                (event, local, shared, real) -> event instanceof RefundCompleted
                                                && reservation(local).status() == Status.RESERVED
                                        ? committedOnceMore(local, shared, real)
                                        : null),

                // ---- money and stock once ----
                without(
                        "a payment is captured once",
                        ONE.redelivered(1),
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof OrderConfirmed
                                        && payment(local).status() == Payment.Status.CAPTURED
                                ? capturedOnceMore(local, shared, real)
                                : null),
                without(
                        "stock is committed once",
                        ONE.units(2).redelivered(1),
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderConfirmed
                                        && reservation(local).status() == Status.COMMITTED
                                ? committedOnceMore(local, shared, real)
                                : null),
                without(
                        "stock is reserved once",
                        ONE.units(2).redelivered(1),
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderPlaced
                                        && reservation(local).status() == Status.RESERVED
                                ? real.react(event, unseenStock(), shared)
                                : null),
                without(
                        "funds are held once",
                        ONE.wallet(4).redelivered(1),
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof StockReserved && payment(local).status() == Payment.Status.AUTHORIZED
                                        ? heldOnceMore(event, local, shared, real)
                                        : null),
                without(
                        "only what is on the shelf is promised",
                        ONE.orders(2),
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderPlaced
                                        && reservation(local).status() == Status.UNSEEN
                                ? new Step(
                                        real.react(event, local, shelves(9)).local(),
                                        shared,
                                        real.react(event, local, shelves(9)).events())
                                : null),
                without(
                        "only what is in the wallet is held",
                        ONE.units(2).orders(2),
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof StockReserved
                                        && payment(local).status() == Payment.Status.UNSEEN
                                ? new Step(
                                        real.react(event, local, rich(shared)).local(),
                                        shared,
                                        real.react(event, local, rich(shared)).events())
                                : null),

                // ---- entrance, replicas, ids ----
                without(
                        "a merchant's number is one order for ever",
                        ONE.askedAgain(),
                        ORDER,
                        (event, local, shared, real) -> {
                            if (!(event instanceof OrderRequested)) {
                                return null;
                            }
                            Step placed = real.react(event, Optional.empty(), shared);
                            return OrderRole.order(placed.local()).isPresent() ? placed : null;
                        }),
                adjusted(
                        "a difference is posted once by its work order",
                        "a person posts that the payer has too much",
                        (local, shared) -> AccountRole.post(
                                requireNonNull(local),
                                (Bank) shared,
                                Cast.PAYER_HAS_TOO_MUCH,
                                Adjustments.Known.NOTHING,
                                AccountRole.purse((Bank) shared, Cast.PAYER_HAS_TOO_MUCH))),
                adjusted(
                        "a posting takes nothing that is held",
                        "a person posts that the payer has too much",
                        (local, shared) -> {
                            Account payer = ((Bank) shared).payer();
                            return AccountRole.post(
                                    requireNonNull(local),
                                    (Bank) shared,
                                    Cast.PAYER_HAS_TOO_MUCH,
                                    AccountRole.known((Money) local, Cast.PAYER_HAS_TOO_MUCH),
                                    new Purse(payer, payer.posted()));
                        }),
                adjusted(
                        "what is posted has a work order of its own",
                        "a person posts that the merchant has too much",
                        (local, shared) -> withWorkItems(
                                AccountRole.post(requireNonNull(local), shared, Cast.MERCHANT_HAS_TOO_MUCH),
                                ((Money) local).workItems())),
                adjusted(
                        "a posted difference leaves suspense once",
                        "a person answers PAY_OUT where the merchant has too much",
                        (local, shared) -> AccountRole.settle(
                                withOpenItems((Money) requireNonNull(local)),
                                shared,
                                Cast.MERCHANT_HAS_TOO_MUCH,
                                "PAY_OUT")),
                Mutant.with(
                        "of two replicas that decide at once, one loses",
                        ONE.overlapped(1),
                        Choreography::withoutVersions),
                Mutant.withIds(
                        "event ids depend on who announces and what",
                        ONE.canceled().withInboxes(),
                        (cause, producer, type, index) -> EventIds.derive(cause, "", "", index)));
    }

    /**
     * Safeguards without which nothing goes wrong, because another stands behind them.
     *
     * @param conclusion which one that is, and what was concluded
     */
    record Redundant(Mutant mutant, String conclusion) {}

    static List<Redundant> redundant() {
        return List.of(
                new Redundant(
                        Mutant.withIds(
                                "event ids depend on who announces",
                                ONE.canceled().refunds(1).withInboxes(),
                                (cause, producer, type, index) -> EventIds.derive(cause, "", type, index)),
                        "In the saga's topics each type of event has one producer, so the type alone tells two answers to one"
                                + " cause apart. Kept: every service announces EventParked and WorkOrderOpened."),
                new Redundant(
                        without(
                                "the inbox",
                                ONE.canceled().refunds(1).restocked().redelivered(3),
                                ORDER,
                                (event, local, shared, real) -> null),
                        "Here any three events are handled once more, as if no inbox had known them: states, refund numbers and"
                                + " ledger ids hold alone. Kept: what it knows need not be decided and announced again."),
                new Redundant(
                        without(
                                "ledger ids derive from business identity",
                                ONE.canceled().refunds(1).redelivered(2),
                                ACCOUNT,
                                (event, local, shared, real) -> {
                                    Step step = real.react(event, local, shared);
                                    Money money = (Money) step.local();
                                    return new Step(
                                            new Money(money.payment(), money.workItems(), Set.of(), false),
                                            step.shared(),
                                            step.events());
                                }),
                        "The payment's state refuses a second posting before the ledger would. Kept: it is the last line, in the"
                                + " database itself, if a state is ever written by hand."),
                redundantAnswer(
                        "reserved stock answers the order again",
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderPlaced
                                        && reservation(local).status() == Status.RESERVED
                                ? Step.of(local, shared)
                                : null),
                redundantAnswer(
                        "stock that is not to be had answers the order again",
                        INVENTORY,
                        (event, local, shared, real) -> event instanceof OrderPlaced
                                        && NOT_TO_BE_HAD.contains(
                                                reservation(local).status())
                                ? Step.of(local, shared)
                                : null),
                redundantAnswer(
                        "an authorized payment answers the request again",
                        ACCOUNT,
                        (event, local, shared, real) ->
                                event instanceof StockReserved && payment(local).status() == Payment.Status.AUTHORIZED
                                        ? Step.of(local, shared)
                                        : null),
                redundantAnswer(
                        "a payment that will not be answers the request again",
                        ACCOUNT,
                        (event, local, shared, real) -> event instanceof StockReserved
                                        && WILL_NOT_BE.contains(payment(local).status())
                                ? Step.of(local, shared)
                                : null));
    }

    private static final Set<Status> NOT_TO_BE_HAD = Set.of(Status.REJECTED, Status.RELEASED, Status.REFUSED);
    private static final Set<Payment.Status> WILL_NOT_BE =
            Set.of(Payment.Status.FAILED, Payment.Status.REVERSED, Payment.Status.CANCELED);

    private static Redundant redundantAnswer(String safeguard, String participant, Mutant.Reaction reaction) {
        return new Redundant(
                without(safeguard, ONE.canceled().redelivered(1).parked(1), participant, reaction),
                "Before the pivot the order's time-out asks again, as OrderCanceled, which everybody answers. Kept: with it an"
                        + " order whose answer was lost need not wait for its time-out.");
    }

    // ---- parts of mutants ----

    private static Mutant adjusted(String safeguard, String command, Command.Decision instead) {
        return without(safeguard, ONE.adjusted(), ACCOUNT, (event, local, shared, real) -> null)
                .andCommand(command, instead);
    }

    private static Step withWorkItems(Step step, Map<UUID, WorkItem> items) {
        Money money = (Money) step.local();
        return new Step(
                new Money(money.payment(), items, money.ledger(), money.postedTwice()), step.shared(), step.events());
    }

    /** As if nobody had decided about anything yet. */
    private static Money withOpenItems(Money money) {
        var open = new HashMap<UUID, WorkItem>();
        money.workItems()
                .forEach((id, item) -> open.put(
                        id,
                        new WorkItem(
                                id,
                                item.kind(),
                                item.orderId(),
                                item.merchantId(),
                                item.refundNo(),
                                item.currency(),
                                item.suspended(),
                                item.detail(),
                                null)));
        return new Money(money.payment(), Map.copyOf(open), money.ledger(), money.postedTwice());
    }

    private static Mutant.Reaction silentIn(Status status, Class<?> event) {
        return (heard, local, shared, real) ->
                event.isInstance(heard) && reservation(local).status() == status ? Step.of(local, shared) : null;
    }

    private static Step closed(Object local, Object shared) {
        Order now = OrderRole.order(local).orElseThrow();
        return Step.of(
                Optional.of(new Order(
                        now.orderId(),
                        now.terms(),
                        OrderStatus.CANCELED,
                        now.reason(),
                        Set.of(Ack.STOCK_RELEASED, Ack.PAYMENT_VOIDED),
                        now.refunds(),
                        1)),
                shared);
    }

    /** The order as it would be if only this refund, and what was paid back before, decided its state. */
    private static Step ownAmountOnly(String refundNo, Object local, Object shared) {
        Order before = OrderRole.order(local).orElseThrow();
        Order completed = withRefund(before, refundNo, RefundStatus.COMPLETED);
        OrderStatus own =
                completed.refundedAmount() < Cast.PRICE ? OrderStatus.PARTIALLY_REFUNDED : OrderStatus.REFUNDED;
        return Step.of(Optional.of(in(own, completed)), shared);
    }

    /** Notes in the refund's reason in which state the order was when it was asked for. */
    private static @Nullable Step rememberingWhatItWas(@Nullable Object local, Object shared) {
        Step asked = OrderRole.refund(requireNonNull(local), 2, 1, false);
        if (asked == null) {
            return null;
        }
        Order order = OrderRole.order(asked.local()).orElseThrow();
        var refunds = new ArrayList<>(order.refunds());
        Refund last = refunds.removeLast();
        refunds.add(new Refund(
                new RefundTerms(last.refundNo(), last.amount(), status(local).name(), List.of()),
                last.status(),
                null,
                1));
        return new Step(
                Optional.of(new Order(order.orderId(), order.terms(), order.status(), null, order.acks(), refunds, 1)),
                shared,
                asked.events());
    }

    /** A failed refund puts the order back into the state in which it was asked for. */
    private static @Nullable Step backToWhatItWas(Object event, Object local, Object shared, Participant real) {
        if (!(event instanceof RefundFailed e)) {
            return null;
        }
        Step failed = real.react(event, local, shared);
        Order order = OrderRole.order(failed.local()).orElseThrow();
        String was = order.refund(e.getRefundNo()).orElseThrow().terms().reason();
        return was == null ? null : new Step(Optional.of(in(OrderStatus.valueOf(was), order)), shared, failed.events());
    }

    private static Order in(OrderStatus status, Order order) {
        return new Order(order.orderId(), order.terms(), status, null, order.acks(), order.refunds(), 1);
    }

    private static Mutant suspendedIsFailed(Mutant mutant) {
        return mutant.andCommand("refund 1 is tried again", (local, shared) -> {
            Step step = AccountRole.retryRefund(requireNonNull(local), shared, 1);
            return step == null
                    ? null
                    : new Step(
                            step.local(),
                            step.shared(),
                            step.events().stream()
                                    .map(Mutants::failedAtSuspense)
                                    .toList());
        });
    }

    /** Decides as if no refund were in suspense. */
    private static Step forgettingSuspense(RefundRequested asked, Object local, Object shared, Participant real) {
        Money money = (Money) local;
        List<PaymentRefund> suspended = money.payment().refunds().stream()
                .filter(refund -> refund.status() == PaymentRefund.Status.SUSPENDED)
                .toList();
        var others = new ArrayList<>(money.payment().refunds());
        others.removeAll(suspended);
        Step decided = real.react(
                asked,
                new Money(refunding(money.payment(), others), money.workItems(), money.ledger(), money.postedTwice()),
                shared);
        Money after = (Money) decided.local();
        var all = new ArrayList<>(suspended);
        all.addAll(after.payment().refunds());
        return new Step(
                new Money(
                        new Payment(
                                after.payment().orderId(),
                                after.payment().merchantId(),
                                after.payment().status(),
                                after.payment().terms(),
                                after.payment().reason(),
                                all,
                                0),
                        after.workItems(),
                        after.ledger(),
                        after.postedTwice()),
                decided.shared(),
                decided.events());
    }

    private static Payment refunding(Payment p, List<PaymentRefund> refunds) {
        return new Payment(p.orderId(), p.merchantId(), Payment.Status.CAPTURED, p.terms(), p.reason(), refunds, 0);
    }

    private static Object failedAtSuspense(Object event) {
        return event instanceof RefundSuspended e
                ? new RefundFailed(
                        e.getOrderId(),
                        e.getMerchantId(),
                        e.getRefundNo(),
                        e.getCurrency(),
                        e.getAmount(),
                        e.getReason())
                : event;
    }

    private static Step refundUnchecked(Object local, Object shared, long amount, List<RestockLine> restock) {
        Optional<Order> order = OrderRole.order(local)
                .filter(o -> o.status().isPaid() && o.refunds().size() < 2);
        if (order.isEmpty()) {
            return Step.of(local, shared);
        }
        String number = "refund-" + (order.get().refunds().size() + 1);
        var refunds = new ArrayList<>(order.get().refunds());
        refunds.add(new Refund(new RefundTerms(number, amount, null, restock), RefundStatus.REQUESTED, null, 1));
        Order next = new Order(
                Cast.ORDER,
                order.get().terms(),
                OrderStatus.REFUNDING,
                null,
                order.get().acks(),
                refunds,
                1);
        return Step.of(Optional.of(next), shared, refundRequested(number, amount, restock));
    }

    private static Order withRefund(Order order, String number, RefundStatus status) {
        List<Refund> refunds = order.refunds().stream()
                .map(r -> r.refundNo().equals(number)
                        ? new Refund(r.terms(), status, status == RefundStatus.SUSPENDED ? "ACCOUNT_BLOCKED" : null, 1)
                        : r)
                .toList();
        boolean open = refunds.stream().anyMatch(r -> r.status().isOpen());
        long back = refunds.stream()
                .filter(r -> r.status() == RefundStatus.COMPLETED)
                .mapToLong(Refund::amount)
                .sum();
        OrderStatus derived = open
                ? OrderStatus.REFUNDING
                : back == 0
                        ? OrderStatus.PAID
                        : back < Cast.PRICE ? OrderStatus.PARTIALLY_REFUNDED : OrderStatus.REFUNDED;
        return new Order(order.orderId(), order.terms(), derived, null, order.acks(), refunds, 1);
    }

    /** Pays the refund as if it had never been heard of, under an id of its own. */
    private static Step paidOnceMore(RefundRequested asked, Object local, Object shared, Participant real) {
        Money money = (Money) local;
        Payment p = money.payment();
        var forgetful =
                new Payment(p.orderId(), p.merchantId(), Payment.Status.CAPTURED, p.terms(), p.reason(), List.of(), 0);
        Step paid = real.react(asked, new Money(forgetful, money.workItems(), money.ledger(), false), shared);
        Money after = (Money) paid.local();
        var refunds = new ArrayList<PaymentRefund>(p.refunds());
        after.payment()
                .refunds()
                .forEach(r -> refunds.removeIf(old -> old.refundNo().equals(r.refundNo())));
        refunds.addAll(after.payment().refunds());
        var merged =
                new Payment(p.orderId(), p.merchantId(), after.payment().status(), p.terms(), p.reason(), refunds, 0);
        return new Step(
                new Money(merged, after.workItems(), after.ledger(), after.postedTwice()),
                paid.shared(),
                paid.events());
    }

    private static Step capturedOnceMore(Object local, Object shared, Participant real) {
        Money money = (Money) local;
        Payment p = money.payment();
        var authorized = new Payment(
                p.orderId(), p.merchantId(), Payment.Status.AUTHORIZED, p.terms(), p.reason(), p.refunds(), 0);
        return real.react(
                new OrderConfirmed(Cast.ORDER, Cast.MERCHANT),
                new Money(authorized, money.workItems(), money.ledger(), false),
                shared);
    }

    private static Step heldOnceMore(Object event, Object local, Object shared, Participant real) {
        Money money = (Money) local;
        return real.react(
                event, new Money(Payment.unseen(Cast.ORDER), money.workItems(), money.ledger(), false), shared);
    }

    private static Step committedOnceMore(Object local, Object shared, Participant real) {
        Reservation r = reservation(local);
        var reserved = new Reservation(r.orderId(), r.merchantId(), Status.RESERVED, r.units(), null, null, 0);
        return real.react(new OrderConfirmed(Cast.ORDER, Cast.MERCHANT), new Stock(reserved, Restocks.NONE), shared);
    }

    private static Step restockedOnceMore(RefundCompleted event, Object local, Object shared) {
        Stock stock = (Stock) local;
        Shelves shelves = (Shelves) shared;
        var shelf = requireNonNull(shelves.bySku().get(Cast.TEA));
        String number =
                event.getRefundNo() + "#" + stock.restocks().byRefundNo().size();
        return Step.of(
                new Stock(
                        stock.reservation(),
                        stock.restocks().with(new Restock(number, Units.returned(event.getRestock())))),
                new Shelves(Map.of(Cast.TEA, new Shelf(Cast.TEA, shelf.onHand() + 1, shelf.reserved()))));
    }

    // ---- words ----

    private static Object unseenStock() {
        return new Stock(Reservation.unseen(Cast.ORDER, Cast.MERCHANT), Restocks.NONE);
    }

    private static Object unseenMoney() {
        return new Money(Payment.unseen(Cast.ORDER), Map.of(), Set.of(), false);
    }

    private static Shelves shelves(long units) {
        return new Shelves(Map.of(Cast.TEA, new Shelf(Cast.TEA, units, 0)));
    }

    private static Bank rich(Object shared) {
        Bank bank = bank(shared);
        return new Bank(bank.payer().credit(1000), bank.merchant(), bank.takings(), bank.suspense(), bank.external());
    }

    private static Reservation reservation(Object local) {
        return ((Stock) local).reservation();
    }

    private static Payment payment(Object local) {
        return ((Money) local).payment();
    }

    private static Bank bank(Object shared) {
        return (Bank) shared;
    }

    private static OrderStatus status(Object local) {
        return OrderRole.order(local).map(Order::status).orElse(OrderStatus.UNSEEN);
    }

    private static Optional<Order> order(OrderStatus status, String reason) {
        return Optional.of(new Order(Cast.ORDER, Cast.ONE_TEA, status, reason, Set.of(), List.of(), 1));
    }

    private static Optional<Order> paid() {
        return Optional.of(new Order(
                Cast.ORDER,
                Cast.ONE_TEA,
                OrderStatus.PAID,
                null,
                Set.of(Ack.STOCK_COMMITTED, Ack.PAYMENT_CAPTURED),
                List.of(),
                1));
    }

    private static SpecificRecord orderPaid() {
        return new OrderPaid(Cast.ORDER, Cast.MERCHANT, Cast.ONE_TEA.outTradeNo(), Cast.EUR, Cast.PRICE, null);
    }

    private static SpecificRecord canceled(String reason) {
        return new OrderCanceled(Cast.ORDER, Cast.MERCHANT, reason);
    }

    private static SpecificRecord released(String outcome) {
        return new StockReleased(Cast.ORDER, Cast.MERCHANT, outcome, "ORDER_CANCELED");
    }

    private static SpecificRecord voided(String outcome) {
        return new PaymentVoided(Cast.ORDER, Cast.MERCHANT, outcome);
    }

    private static SpecificRecord refundRequested(String number, long amount, List<RestockLine> restock) {
        return new RefundRequested(Cast.ORDER, Cast.MERCHANT, number, Cast.EUR, amount, null, restock);
    }
}
