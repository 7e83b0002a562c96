package dev.paysaga.inventory.domain;

import static dev.paysaga.inventory.domain.Reason.ORDER_CANCELED;
import static dev.paysaga.inventory.domain.Reason.PAYMENT_DECLINED;
import static java.util.Objects.requireNonNull;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.StockRestocked;
import dev.paysaga.saga.ImpossibleTransition;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * Everything inventory decides about an order. Pure: no clock, no ids, no database.
 *
 * <p>When stock is not enough: nothing of the order is reserved, not even the lines that would fit. The reservation
 * becomes REJECTED and {@code StockRejected} names the reason ({@code OUT_OF_STOCK}, or {@code UNKNOWN_SKU} for a product
 * the merchant never received) and the first product that falls short. The order then cancels itself.
 *
 * <pre>
 *            OrderPlaced                     OrderConfirmed             OrderCanceled                 PaymentDeclined            RefundCompleted
 * UNSEEN     enough: RESERVED, StockReserved impossible                 REFUSED (1), StockReleased    impossible (2)             impossible
 *            short:  REJECTED, StockRejected                              REFUSED_IN_ADVANCE
 * RESERVED   StockReserved again             COMMITTED, StockCommitted  RELEASED, StockReleased       RELEASED, StockReleased    impossible
 *                                                                         RELEASED                      RELEASED
 * COMMITTED  -  known                        StockCommitted again       impossible                    impossible (2)             restock (4), StockRestocked
 * RELEASED   StockRejected ORDER_CANCELED    impossible                 StockReleased again (3)       -  known                   impossible
 * REJECTED   StockRejected again             impossible                 StockReleased                 -  known                   impossible
 *                                                                         NOTHING_TO_UNDO
 * REFUSED    StockRejected ORDER_CANCELED    impossible                 StockReleased again           -  known                   impossible
 *                                                                         REFUSED_IN_ADVANCE
 * </pre>
 *
 * <p>"Again": the request was decided already and gets the same answer, so that a lost answer can be had again. "Known":
 * an answer that changes nothing. "Impossible": the event is parked.
 *
 * <ol>
 *   <li>A cancellation can overtake its order, since they travel in different topics. Remembering it is what stops the
 *       late order from reserving stock that nobody would ever release.
 *   <li>Account declines only what it was asked for by StockReserved, so a declined order has been reserved; and it
 *       never declines what it has authorized, so it was not confirmed.
 *   <li>The answer is the one given first: RELEASED if it was the cancellation that released the units, NOTHING_TO_UNDO
 *       if PaymentDeclined had released them before.
 *   <li>Only the lines that the refund asks for, once per refund number, and never more than was committed and has not
 *       come back yet (more than that is impossible: the order refuses such a refund). A refund without restock, or one
 *       that is known: nothing.
 * </ol>
 */
public final class Reactions {

    private enum Outcome {
        RELEASED,
        REFUSED_IN_ADVANCE,
        NOTHING_TO_UNDO
    }

    private Reactions() {}

    /** Reserves every line of the order, or none. */
    public static Decision on(OrderPlaced placed, Reservation now, Shelves shelves) {
        return switch (now.status()) {
            case UNSEEN -> reserveAllOrNothing(placed, now, shelves);
            case RESERVED -> Decision.of(now, shelves, reserved(placed));
            case COMMITTED -> Decision.nothing(now, shelves);
            case REJECTED -> Decision.of(now, shelves, rejected(now, requireNonNull(now.reason())));
            case RELEASED, REFUSED -> Decision.of(now, shelves, rejected(now, ORDER_CANCELED));
        };
    }

    /** @throws ImpossibleTransition unless stock is reserved or committed */
    public static Decision on(OrderConfirmed confirmed, Reservation now, Shelves shelves) {
        return switch (now.status()) {
            case RESERVED -> Decision.of(now.commit(), shelves.moved(now.units(), Shelf::commit), committed(now));
            case COMMITTED -> Decision.of(now, shelves, committed(now));
            case UNSEEN, RELEASED, REJECTED, REFUSED -> throw impossible(confirmed, now);
        };
    }

    /** @throws ImpossibleTransition if the stock has left the shelf: a confirmed order is not canceled */
    public static Decision on(OrderCanceled canceled, Reservation now, Shelves shelves) {
        return switch (now.status()) {
            case UNSEEN ->
                Decision.of(now.refuse(), shelves, released(now, Outcome.REFUSED_IN_ADVANCE, ORDER_CANCELED));
            case RESERVED -> release(now, shelves, ORDER_CANCELED);
            case RELEASED -> Decision.of(now, shelves, released(now, outcomeOfFirstCancel(now), ORDER_CANCELED));
            case REJECTED -> Decision.of(now, shelves, released(now, Outcome.NOTHING_TO_UNDO, ORDER_CANCELED));
            case REFUSED -> Decision.of(now, shelves, released(now, Outcome.REFUSED_IN_ADVANCE, ORDER_CANCELED));
            case COMMITTED -> throw impossible(canceled, now);
        };
    }

    /** @throws ImpossibleTransition if the order was never reserved, or its stock has left the shelf */
    public static Decision on(PaymentDeclined declined, Reservation now, Shelves shelves) {
        return switch (now.status()) {
            case RESERVED -> release(now, shelves, PAYMENT_DECLINED);
            case RELEASED, REJECTED, REFUSED -> Decision.nothing(now, shelves);
            case UNSEEN, COMMITTED -> throw impossible(declined, now);
        };
    }

    /**
     * @param before what earlier refunds of the order put back
     * @throws ImpossibleTransition unless the stock was committed and has that much left to come back
     */
    public static Decision on(RefundCompleted refunded, Reservation now, Restocks before, Shelves shelves) {
        return switch (now.status()) {
            case COMMITTED ->
                refunded.getRestock().isEmpty() || before.know(refunded.getRefundNo())
                        ? Decision.nothing(now, shelves)
                        : restock(refunded, now, before, shelves);
            case UNSEEN, RESERVED, RELEASED, REJECTED, REFUSED -> throw impossible(refunded, now);
        };
    }

    private static Decision reserveAllOrNothing(OrderPlaced placed, Reservation now, Shelves shelves) {
        Units all = Units.ordered(placed.getLines());
        return shelves.shortageOf(all)
                .map(shortage -> reject(now, all, shortage, shelves))
                .orElseGet(() -> Decision.of(now.reserve(all), shelves.moved(all, Shelf::reserve), reserved(placed)));
    }

    private static Decision reject(Reservation now, Units all, Shelves.Shortage shortage, Shelves shelves) {
        Reservation rejected = now.reject(all, shortage);
        return Decision.of(rejected, shelves, rejected(rejected, shortage.reason()));
    }

    private static Decision release(Reservation now, Shelves shelves, Reason why) {
        return Decision.of(
                now.release(why), shelves.moved(now.units(), Shelf::release), released(now, Outcome.RELEASED, why));
    }

    private static Decision restock(RefundCompleted refunded, Reservation now, Restocks before, Shelves shelves) {
        Units back = Units.returned(refunded.getRestock());
        if (!before.leaveRoomFor(back, now.units())) {
            throw impossible(refunded, now);
        }
        return new Decision(
                now,
                shelves.moved(back, Shelf::restock),
                Optional.of(new Restock(refunded.getRefundNo(), back)),
                List.of(new StockRestocked(
                        now.orderId(), now.merchantId(), refunded.getRefundNo(), refunded.getRestock())));
    }

    private static Outcome outcomeOfFirstCancel(Reservation released) {
        return released.reason() == ORDER_CANCELED ? Outcome.RELEASED : Outcome.NOTHING_TO_UNDO;
    }

    private static StockReserved reserved(OrderPlaced placed) {
        return new StockReserved(
                placed.getOrderId(),
                placed.getMerchantId(),
                placed.getPayerAccountId(),
                placed.getCurrency(),
                placed.getAmount(),
                placed.getLines());
    }

    private static StockRejected rejected(Reservation now, Reason reason) {
        return new StockRejected(now.orderId(), now.merchantId(), reason.name(), now.shortSku());
    }

    private static StockCommitted committed(Reservation now) {
        return new StockCommitted(now.orderId(), now.merchantId());
    }

    private static StockReleased released(Reservation now, Outcome outcome, Reason answers) {
        return new StockReleased(now.orderId(), now.merchantId(), outcome.name(), answers.name());
    }

    private static ImpossibleTransition impossible(SpecificRecord event, Reservation now) {
        return new ImpossibleTransition(
                now.status() + " (reservation of order " + now.orderId() + ")",
                event.getSchema().getName());
    }
}
