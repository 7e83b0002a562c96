package dev.paysaga.order.domain;

import static dev.paysaga.order.domain.Ack.PAYMENT_CAPTURED;
import static dev.paysaga.order.domain.Ack.PAYMENT_VOIDED;
import static dev.paysaga.order.domain.Ack.STOCK_COMMITTED;
import static dev.paysaga.order.domain.Ack.STOCK_RELEASED;
import static dev.paysaga.order.domain.OrderStatus.CREATED;
import static java.util.Objects.requireNonNull;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.events.OrderRejected;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundFailed;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.SagaStuck;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.StockRestocked;
import dev.paysaga.events.WorkOrderResolved;
import dev.paysaga.saga.ImpossibleTransition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * Everything an order decides. Pure: no clock, no ids, no database.
 *
 * <p>The pivot is the order's own: with PaymentAuthorized, stock and funds are both promised, and the order either confirms
 * or has given up before. Until then everything can be undone; from then on everything must succeed.
 *
 * <pre>
 * what is heard           CREATED               STOCK_RESERVED        CONFIRMED              paid (1)            CANCELING               CANCELED
 * StockReserved           STOCK_RESERVED        -  known              -  known               -  known            -  late                 -  late
 * StockRejected           CANCELING,            CANCELING,            impossible             impossible          -  known                -  known
 *                           OrderCanceled         OrderCanceled
 * PaymentAuthorized (2)   CONFIRMED (3),        CONFIRMED,            -  known               -  known            -  the void is          -  late
 *                           OrderConfirmed        OrderConfirmed                                                    on its way
 * PaymentDeclined         CANCELING,            CANCELING,            impossible             impossible          -  known                -  known
 *                           OrderCanceled         OrderCanceled
 * StockCommitted          impossible            impossible            counts; PAID (4),      -  known            impossible              impossible
 *                                                                       OrderPaid
 * PaymentCaptured (2)     impossible            impossible            counts; PAID (4),      -  known            impossible              impossible
 *                                                                       OrderPaid
 * StockReleased, answer   impossible            impossible            impossible             impossible          counts; CANCELED (4),   -  known
 *   to OrderCanceled                                                                                                OrderClosed
 * StockReleased, answer   -  PaymentDeclined    -  PaymentDeclined    impossible             impossible          -  does not count (5)   -  known
 *   to PaymentDeclined       is on its way         is on its way
 * PaymentVoided           impossible            impossible            impossible             impossible          counts; CANCELED (4),   -  known
 *                                                                                                                   OrderClosed
 * StockRestocked          -  in every state: the order counts money only
 *
 * what is heard           refund REQUESTED      refund SUSPENDED      refund COMPLETED       refund FAILED       no such refund (6)
 * RefundCompleted (2)     COMPLETED,            COMPLETED,            -  known               impossible          impossible
 *                           OrderRefunded         OrderRefunded
 * RefundFailed (2)        FAILED,               FAILED,               impossible             -  known            impossible
 *                           OrderRefundFailed     OrderRefundFailed
 * RefundSuspended (2)     SUSPENDED (7)         -  known              -  late                -  late             impossible
 *
 * what is asked for       CREATED               STOCK_RESERVED        CONFIRMED              paid (1)            CANCELING               CANCELED
 * cancel                  CANCELING,            CANCELING,            refused                refused             -  repeated             -  repeated
 *                           OrderCanceled         OrderCanceled
 * time-out                CANCELING,            CANCELING,            -                      -                   -                       -
 *                           OrderCanceled         OrderCanceled
 * stuck                   -                     -                     SagaStuck              SagaStuck (8)       SagaStuck               -
 * resend                  -  (9)                -  (9)                OrderConfirmed         RefundRequested,    OrderCanceled           -
 *                                                                                              each open one
 * refund                  refused               refused               refused                REFUNDING (10),     refused                 refused
 *                                                                                              RefundRequested
 * the same order again    -  repeated; refused with other content, in every state
 * </pre>
 *
 * <p>"Known": an answer that changes nothing. "Impossible": the event is parked. Whatever is heard of an order that does
 * not exist is impossible: an order is stored before anybody hears of it.
 *
 * <ol>
 *   <li>PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED: the state is derived from the refunds. Any of them requested or
 *       suspended: REFUNDING; otherwise by what they paid back.
 *   <li>For another amount or currency than was asked for it is impossible, in every state.
 *   <li>It may overtake StockReserved, of which it is a consequence: they travel in different topics.
 *   <li>Once both are in. Until then the first is only remembered.
 *   <li>It answers PaymentDeclined, by which inventory and order learned of the same thing. Inventory answers OrderCanceled
 *       as well, and only that proves that nothing will be reserved any more.
 *   <li>Also in every state in which no refund can have been asked for.
 *   <li>Its amount stays claimed: a person may still pay it out.
 *   <li>In REFUNDING only; in PAID, PARTIALLY_REFUNDED and REFUNDED nothing is awaited.
 *   <li>A time-out settles it sooner than a person.
 *   <li>Unless what was paid back or may still be, and this, exceed what was captured; likewise the units that come back.
 *       The same refund again is a repetition; its number with other content is refused.
 * </ol>
 */
public final class Reactions {

    private static final String CANCELED_BY_MERCHANT = "CANCELED_BY_MERCHANT";
    private static final String TIMED_OUT = "TIMED_OUT";
    private static final String INVALID_REQUEST = "INVALID_REQUEST";

    private Reactions() {}

    /** An order nobody has heard of before. */
    public static Decision place(UUID orderId, Terms terms) {
        return Decision.of(
                Order.placed(orderId, terms),
                new OrderPlaced(
                        orderId,
                        terms.merchantId(),
                        terms.outTradeNo(),
                        terms.payerAccountId(),
                        terms.currency(),
                        terms.amount(),
                        terms.lines()));
    }

    /** An order under a number that its merchant has used before. Repeated or refused. */
    public static Outcome placeAgain(Terms terms, Order now) {
        return now.terms().sameAs(terms)
                ? new Outcome.Repeated(now)
                : new Outcome.Refused(
                        Refusal.OUT_TRADE_NO_CONFLICT,
                        "Order number " + terms.outTradeNo() + " is taken by order " + now.orderId()
                                + ", whose content differs. Use another outTradeNo for another order.");
    }

    /** The answer to a requested order that makes no sense. */
    public static OrderRejected reject(OrderRequested requested, List<Fault> faults) {
        return new OrderRejected(
                requested.getMerchantId(),
                requested.getOutTradeNo(),
                INVALID_REQUEST,
                faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
    }

    /** The answer to a requested order that was refused. */
    public static OrderRejected reject(OrderRequested requested, Outcome.Refused refused) {
        return new OrderRejected(
                requested.getMerchantId(),
                requested.getOutTradeNo(),
                refused.refusal().name(),
                refused.detail());
    }

    /** The merchant wants an order canceled. */
    public static Outcome cancel(Order now) {
        return switch (now.status()) {
            case CREATED, STOCK_RESERVED -> new Outcome.Accepted(giveUp(now, CANCELED_BY_MERCHANT));
            case CANCELING, CANCELED -> new Outcome.Repeated(now);
            case CONFIRMED, PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED ->
                new Outcome.Refused(
                        Refusal.ORDER_NOT_CANCELABLE,
                        "Order " + now.orderId() + " is " + now.status()
                                + " and can no longer be canceled. Refund it once it is paid.");
            case UNSEEN -> throw noSuchState(now);
        };
    }

    /** The merchant wants money back to the payer. */
    public static Outcome requestRefund(RefundTerms terms, Order now) {
        var before = now.refund(terms.refundNo());
        if (before.isPresent()) {
            return before.get().terms().equals(terms)
                    ? new Outcome.Repeated(now)
                    : new Outcome.Refused(
                            Refusal.REFUND_NO_CONFLICT,
                            "Refund number " + terms.refundNo() + " is taken by another refund of order "
                                    + now.orderId() + ". Use another refundNo for another refund.");
        }
        if (!now.status().isPaid()) {
            return new Outcome.Refused(
                    Refusal.ORDER_NOT_REFUNDABLE,
                    "Order " + now.orderId() + " is " + now.status() + "; only what is paid can be refunded.");
        }
        if (terms.amount() > now.refundable()) {
            return new Outcome.Refused(
                    Refusal.REFUND_EXCEEDS_CAPTURED,
                    "Of order " + now.orderId() + ", " + now.refundable() + " of "
                            + now.terms().amount() + " " + now.terms().currency()
                            + " minor units can still be refunded, not " + terms.amount() + ".");
        }
        if (!now.canRestock(terms.restock())) {
            return new Outcome.Refused(
                    Refusal.RESTOCK_EXCEEDS_COMMITTED,
                    "Of order " + now.orderId() + ", only these units have not come back yet: "
                            + new TreeMap<>(now.restockable()) + ".");
        }
        Refund refund = Refund.requested(terms);
        return new Outcome.Accepted(Decision.of(now.with(refund), requested(refund, now)));
    }

    /** The deadline of an order that is not confirmed has passed. */
    public static Decision timeOut(Order now) {
        return switch (now.status()) {
            case CREATED, STOCK_RESERVED -> giveUp(now, TIMED_OUT);
            case CONFIRMED, PAID, CANCELING, CANCELED, REFUNDING, PARTIALLY_REFUNDED, REFUNDED ->
                Decision.silently(now);
            case UNSEEN -> throw noSuchState(now);
        };
    }

    /**
     * The deadline of an order whose requests must be answered has passed. Nothing is guessed: a person is told.
     *
     * @param since when it entered its state, by the database's clock
     */
    public static Decision stuck(Order now, Instant since) {
        return switch (now.status()) {
            case CONFIRMED, CANCELING, REFUNDING ->
                Decision.of(
                        now,
                        new SagaStuck(
                                now.orderId(), now.merchantId(), now.status().name(), since));
            case CREATED, STOCK_RESERVED, PAID, CANCELED, PARTIALLY_REFUNDED, REFUNDED -> Decision.silently(now);
            case UNSEEN -> throw noSuchState(now);
        };
    }

    /** A person wants a stuck order's requests announced again; whoever has decided them answers again. */
    public static Decision resend(Order now) {
        return switch (now.status()) {
            case CONFIRMED -> Decision.of(now.noted(), confirmed(now));
            case CANCELING -> Decision.of(now.noted(), canceled(now));
            case REFUNDING ->
                new Decision(
                        now.noted(),
                        now.refunds().stream()
                                .filter(refund -> refund.status().isOpen())
                                .<SpecificRecord>map(refund -> requested(refund, now))
                                .toList());
            case CREATED, STOCK_RESERVED, PAID, CANCELED, PARTIALLY_REFUNDED, REFUNDED -> Decision.silently(now);
            case UNSEEN -> throw noSuchState(now);
        };
    }

    /**
     * A person does without an event that was parked, whatever it is about.
     *
     * @throws ImpossibleTransition if it still waits, or something else is wanted: an event is redriven over HTTP
     */
    public static List<SpecificRecord> resolve(ResolveWorkOrder command, Question question) {
        check(command, question);
        if (question.waits() || !command.getAction().equals("WRITE_OFF")) {
            throw new ImpossibleTransition(
                    question.waits()
                            ? "a parked event that still waits: redrive or skip it first"
                            : "an event that was skipped: it takes WRITE_OFF",
                    command.getSchema().getName() + " " + command.getAction());
        }
        return List.of(resolved(command, command.getMerchantId()));
    }

    private static void check(ResolveWorkOrder command, Question question) {
        if (!command.getOrderId().equals(question.about())
                || command.getRefundNo() != null
                || command.getAmount() != null
                || command.getAccount() != null) {
            throw new ImpossibleTransition(
                    "work order " + command.getWorkOrderId() + " about " + question.about()
                            + ", which is about no refund and no money",
                    command);
        }
    }

    private static WorkOrderResolved resolved(ResolveWorkOrder command, String merchantId) {
        return new WorkOrderResolved(
                command.getWorkOrderId(), command.getOrderId(), merchantId, command.getAction(), command.getActor());
    }

    /**
     * A person has decided about an order that does not move.
     *
     * @throws ImpossibleTransition if the action is none for an order: money is account's to move
     */
    public static Decision resolve(ResolveWorkOrder command, Question question, Order now) {
        check(command, question);
        Decision decision = switch (command.getAction()) {
            case "RESEND" -> resend(now);
            case "WRITE_OFF" -> Decision.silently(now);
            default ->
                throw new ImpossibleTransition(
                        now.status() + " (order " + now.orderId() + ")",
                        command.getSchema().getName() + " " + command.getAction());
        };
        var events = new ArrayList<>(decision.events());
        events.add(resolved(command, now.merchantId()));
        return new Decision(decision.order(), events);
    }

    /**
     * Decides about an event of this order.
     *
     * @throws ImpossibleTransition if it cannot follow the order's state, or is none an order hears
     */
    public static Decision on(SpecificRecord event, Order now) {
        return switch (event) {
            case StockReserved e ->
                now.status() == CREATED ? Decision.silently(now.reserved()) : Decision.silently(now);
            case StockRejected e -> refused(e, e.getReason(), now);
            case StockCommitted e -> completed(e, STOCK_COMMITTED, now);
            case StockReleased e -> released(e, now);
            case StockRestocked e -> Decision.silently(now);
            case PaymentAuthorized e -> authorized(e, now);
            case PaymentDeclined e -> refused(e, e.getReason(), now);
            case PaymentCaptured e -> {
                requireSameMoney(e, e.getAmount(), e.getCurrency(), now);
                yield completed(e, PAYMENT_CAPTURED, now);
            }
            case PaymentVoided e -> undone(e, PAYMENT_VOIDED, now);
            case RefundCompleted e -> refundCompleted(e, now);
            case RefundFailed e -> refundFailed(e, now);
            case RefundSuspended e -> refundSuspended(e, now);
            default -> throw impossible(event, now);
        };
    }

    /** An event of an order that does not exist. */
    public static ImpossibleTransition withoutOrder(UUID orderId, SpecificRecord event) {
        return new ImpossibleTransition(
                OrderStatus.UNSEEN + " (there is no order " + orderId + ")",
                event.getSchema().getName());
    }

    private static Decision refused(SpecificRecord event, String reason, Order now) {
        return switch (now.status()) {
            case CREATED, STOCK_RESERVED -> giveUp(now, reason);
            case CANCELING, CANCELED -> Decision.silently(now);
            case UNSEEN, CONFIRMED, PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED -> throw impossible(event, now);
        };
    }

    private static Decision authorized(PaymentAuthorized event, Order now) {
        requireSameMoney(event, event.getAmount(), event.getCurrency(), now);
        return switch (now.status()) {
            case CREATED, STOCK_RESERVED -> Decision.of(now.confirmed(), confirmed(now));
            case CONFIRMED, PAID, CANCELING, CANCELED, REFUNDING, PARTIALLY_REFUNDED, REFUNDED ->
                Decision.silently(now);
            case UNSEEN -> throw noSuchState(now);
        };
    }

    private static Decision completed(SpecificRecord event, Ack ack, Order now) {
        return switch (now.status()) {
            case CONFIRMED -> {
                if (now.acks().contains(ack)) {
                    yield Decision.silently(now);
                }
                Order next = now.acknowledged(ack);
                yield next.status() == OrderStatus.PAID ? Decision.of(next, paid(next)) : Decision.silently(next);
            }
            case PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED -> Decision.silently(now);
            case UNSEEN, CREATED, STOCK_RESERVED, CANCELING, CANCELED -> throw impossible(event, now);
        };
    }

    private static Decision released(StockReleased event, Order now) {
        return switch (event.getAnswers()) {
            case "ORDER_CANCELED" -> undone(event, STOCK_RELEASED, now);
            case "PAYMENT_DECLINED" ->
                switch (now.status()) {
                    case CREATED, STOCK_RESERVED, CANCELING, CANCELED -> Decision.silently(now);
                    case UNSEEN, CONFIRMED, PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED ->
                        throw impossible(event, now);
                };
            default -> throw impossible(event, now);
        };
    }

    private static Decision undone(SpecificRecord event, Ack ack, Order now) {
        return switch (now.status()) {
            case CANCELING -> {
                if (now.acks().contains(ack)) {
                    yield Decision.silently(now);
                }
                Order next = now.acknowledged(ack);
                yield next.status() == OrderStatus.CANCELED ? Decision.of(next, closed(next)) : Decision.silently(next);
            }
            case CANCELED -> Decision.silently(now);
            case UNSEEN, CREATED, STOCK_RESERVED, CONFIRMED, PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED ->
                throw impossible(event, now);
        };
    }

    private static Decision refundCompleted(RefundCompleted event, Order now) {
        Refund refund = refundOf(event, event.getRefundNo(), event.getAmount(), event.getCurrency(), now);
        return switch (refund.status()) {
            case REQUESTED, SUSPENDED -> {
                Order next = now.with(refund.become(RefundStatus.COMPLETED, null));
                yield Decision.of(next, refunded(refund, next));
            }
            case COMPLETED -> Decision.silently(now);
            case UNSEEN, FAILED -> throw impossible(event, refund, now);
        };
    }

    private static Decision refundFailed(RefundFailed event, Order now) {
        Refund refund = refundOf(event, event.getRefundNo(), event.getAmount(), event.getCurrency(), now);
        return switch (refund.status()) {
            case REQUESTED, SUSPENDED -> {
                Order next = now.with(refund.become(RefundStatus.FAILED, event.getReason()));
                yield Decision.of(next, refundFailed(refund, event.getReason(), next));
            }
            case FAILED -> Decision.silently(now);
            case UNSEEN, COMPLETED -> throw impossible(event, refund, now);
        };
    }

    private static Decision refundSuspended(RefundSuspended event, Order now) {
        Refund refund = refundOf(event, event.getRefundNo(), event.getAmount(), event.getCurrency(), now);
        return switch (refund.status()) {
            case REQUESTED -> Decision.silently(now.with(refund.become(RefundStatus.SUSPENDED, event.getReason())));
            case SUSPENDED, COMPLETED, FAILED -> Decision.silently(now);
            case UNSEEN -> throw impossible(event, refund, now);
        };
    }

    private static Refund refundOf(SpecificRecord event, String refundNo, long amount, String currency, Order now) {
        return now.refund(refundNo)
                .filter(refund ->
                        refund.amount() == amount && now.terms().currency().equals(currency))
                .orElseThrow(() -> impossible(event, now));
    }

    private static void requireSameMoney(SpecificRecord event, long amount, String currency, Order now) {
        if (amount != now.terms().amount() || !currency.equals(now.terms().currency())) {
            throw impossible(event, now);
        }
    }

    private static Decision giveUp(Order now, String reason) {
        Order next = now.canceling(reason);
        return Decision.of(next, canceled(next));
    }

    private static OrderConfirmed confirmed(Order now) {
        return new OrderConfirmed(now.orderId(), now.merchantId());
    }

    private static OrderCanceled canceled(Order now) {
        return new OrderCanceled(now.orderId(), now.merchantId(), requireNonNull(now.reason()));
    }

    private static OrderPaid paid(Order now) {
        Terms terms = now.terms();
        return new OrderPaid(
                now.orderId(),
                terms.merchantId(),
                terms.outTradeNo(),
                terms.currency(),
                terms.amount(),
                terms.notifyUrl());
    }

    private static OrderClosed closed(Order now) {
        Terms terms = now.terms();
        return new OrderClosed(
                now.orderId(), terms.merchantId(), terms.outTradeNo(), requireNonNull(now.reason()), terms.notifyUrl());
    }

    private static RefundRequested requested(Refund refund, Order now) {
        return new RefundRequested(
                now.orderId(),
                now.merchantId(),
                refund.refundNo(),
                now.terms().currency(),
                refund.amount(),
                refund.terms().reason(),
                refund.terms().restock());
    }

    private static OrderRefunded refunded(Refund refund, Order now) {
        Terms terms = now.terms();
        return new OrderRefunded(
                now.orderId(),
                terms.merchantId(),
                terms.outTradeNo(),
                refund.refundNo(),
                terms.currency(),
                refund.amount(),
                now.refundedAmount(),
                terms.notifyUrl());
    }

    private static OrderRefundFailed refundFailed(Refund refund, String reason, Order now) {
        Terms terms = now.terms();
        return new OrderRefundFailed(
                now.orderId(),
                terms.merchantId(),
                terms.outTradeNo(),
                refund.refundNo(),
                terms.currency(),
                refund.amount(),
                reason,
                terms.notifyUrl());
    }

    private static ImpossibleTransition impossible(SpecificRecord event, Order now) {
        return new ImpossibleTransition(
                now.status() + " (order " + now.orderId() + ")",
                event.getSchema().getName());
    }

    private static ImpossibleTransition impossible(SpecificRecord event, Refund refund, Order now) {
        return new ImpossibleTransition(
                refund.status() + " (refund " + refund.refundNo() + " of order " + now.orderId() + ")",
                event.getSchema().getName());
    }

    private static IllegalStateException noSuchState(Order now) {
        return new IllegalStateException("no order is " + now.status() + ": " + now.orderId());
    }
}
