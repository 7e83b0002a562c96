package dev.paysaga.account.domain;

import static dev.paysaga.account.domain.Payment.Status.CAPTURED;
import static dev.paysaga.account.domain.Payment.Status.REVERSED;
import static dev.paysaga.account.domain.PaymentRefund.Status.COMPLETED;
import static dev.paysaga.account.domain.PaymentRefund.Status.FAILED;
import static dev.paysaga.account.domain.PaymentRefund.Status.PAID_OUT;
import static dev.paysaga.account.domain.PaymentRefund.Status.RETURNED;
import static dev.paysaga.account.domain.PaymentRefund.Status.SUSPENDED;
import static dev.paysaga.account.domain.PaymentRefund.Status.TRYING;

import dev.paysaga.account.domain.WorkItem.Resolution;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundFailed;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.ImpossibleTransition;
import java.time.Instant;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Everything account does about an order's money. Pure: no clock, no random, no database.
 *
 * <pre>
 *             StockReserved                     OrderConfirmed             OrderCanceled                RefundRequested
 * UNSEEN      AUTHORIZED, PaymentAuthorized     impossible                 CANCELED, PaymentVoided      impossible
 *             or FAILED, PaymentDeclined  (1)                              REFUSED_IN_ADVANCE  (3)
 * AUTHORIZED  PaymentAuthorized                 CAPTURED,                  REVERSED, PaymentVoided      impossible
 *                                               PaymentCaptured  (2)       VOIDED
 * CAPTURED    -                                 PaymentCaptured            impossible                   a refund  (4)
 * REFUNDING   -                                 PaymentCaptured            impossible                   a refund  (4)
 * REFUNDED    -                                 PaymentCaptured            impossible                   a refund  (4)
 * REVERSED    PaymentDeclined ORDER_CANCELED    impossible                 PaymentVoided VOIDED         impossible
 * FAILED      PaymentDeclined, same reason      impossible                 PaymentVoided                impossible
 *                                                                          NOTHING_TO_UNDO
 * CANCELED    PaymentDeclined ORDER_CANCELED    impossible                 PaymentVoided                impossible
 *                                                                          REFUSED_IN_ADVANCE
 *
 * refund      RefundRequested  (4)              next attempt is due        ResolveWorkOrder  (5)
 * new         FAILED, RefundFailed; COMPLETED,  nothing                    impossible
 *             RefundCompleted; or TRYING
 * TRYING      -                                 COMPLETED, RefundCompleted; impossible
 *                                               TRYING; or SUSPENDED,
 *                                               RefundSuspended, work order
 * COMPLETED   RefundCompleted                   nothing                    impossible
 * FAILED      RefundFailed                      nothing                    impossible
 * SUSPENDED   RefundSuspended                   nothing                    RETRY, PAY_OUT: PAID_OUT, RefundCompleted
 *                                                                          RETURN: RETURNED, RefundFailed
 * PAID_OUT    RefundCompleted                   nothing                    RefundCompleted, WorkOrderResolved
 * RETURNED    RefundFailed                      nothing                    RefundFailed, WorkOrderResolved
 * </pre>
 *
 * <p>(1) The first that applies: payer UNKNOWN_ACCOUNT, ACCOUNT_BLOCKED, ACCOUNT_CLOSED, CURRENCY_MISMATCH; merchant
 * UNKNOWN_MERCHANT_ACCOUNT, ACCOUNT_BLOCKED, ACCOUNT_CLOSED; INSUFFICIENT_FUNDS. A merchant who cannot be credited is
 * declined here, while it costs nothing, and not after the pivot, where it costs a person's time.
 *
 * <p>(2) Once, whatever the payer's status: what was promised is owed. A merchant's account that is not open any more is
 * not credited; the money goes into suspense and a person decides.
 *
 * <p>(3) A cancellation can overtake its order. Remembering it stops the late request from holding money that nobody
 * would ever release.
 *
 * <p>(4) More than was captured, counting what is tried and what is in suspense: FAILED. A payer's account that refuses is
 * tried three times in all; then the money goes into suspense and a person decides. By its number a refund is paid
 * once, also when every memory of events is gone.
 *
 * <p>(5) Only while its work order is open; what was decided first is answered again. CAPTURE_SUSPENDED takes RETRY (to the
 * merchant's account) and PAY_OUT (elsewhere); HOLD_UNDECIDED takes RESEND (the answer is given again). An account
 * that still refuses leaves everything as it is, and the work order is announced once more with the reason. Any other
 * action, a wrong amount or a wrong refund cannot follow: parked, so that whoever commanded it sees it.
 */
public final class Reactions {

    /** The goods are there: the payer's money is held, or it is not. */
    public static Decision on(StockReserved reserved, Payment now, Parties parties) {
        return switch (now.status()) {
            case UNSEEN -> holdOrDecline(reserved, now, parties);
            case AUTHORIZED -> Decision.of(now, parties, authorized(now));
            case FAILED ->
                Decision.of(
                        now,
                        parties,
                        declined(now, Objects.requireNonNullElse(now.reason(), Reasons.INSUFFICIENT_FUNDS)));
            case REVERSED, CANCELED -> Decision.of(now, parties, declined(now, Reasons.ORDER_CANCELED));
            case CAPTURED, REFUNDING, REFUNDED -> Decision.of(now, parties);
        };
    }

    /** The pivot has passed: the money is the merchant's. */
    public static Decision on(OrderConfirmed confirmed, Payment now, Parties parties) {
        return switch (now.status()) {
            case AUTHORIZED -> capture(now, parties);
            case CAPTURED, REFUNDING, REFUNDED -> Decision.of(now, parties, captured(now));
            case UNSEEN, REVERSED, FAILED, CANCELED -> throw new ImpossibleTransition(now, confirmed);
        };
    }

    /** Whatever was held is held no more; always answered. */
    public static Decision on(OrderCanceled canceled, Payment now, Parties parties) {
        return switch (now.status()) {
            case UNSEEN -> {
                Payment fence = now.fenced(canceled.getMerchantId());
                yield Decision.of(fence, parties, voided(fence, "REFUSED_IN_ADVANCE"));
            }
            case AUTHORIZED -> release(now, parties);
            case REVERSED -> Decision.of(now, parties, voided(now, "VOIDED"));
            case FAILED -> Decision.of(now, parties, voided(now, "NOTHING_TO_UNDO"));
            case CANCELED -> Decision.of(now, parties, voided(now, "REFUSED_IN_ADVANCE"));
            case CAPTURED, REFUNDING, REFUNDED -> throw new ImpossibleTransition(now, canceled);
        };
    }

    /** The merchant pays back all or part. */
    public static Decision on(RefundRequested asked, Payment now, Parties parties, AttemptPolicy attempts) {
        return switch (now.status()) {
            case CAPTURED, REFUNDING, REFUNDED ->
                now.refund(asked.getRefundNo())
                        .map(refund -> answerAgain(asked, refund, now, parties))
                        .orElseGet(() -> firstAttempt(asked, now, parties, attempts));
            case UNSEEN, AUTHORIZED, REVERSED, FAILED, CANCELED -> throw new ImpossibleTransition(now, asked);
        };
    }

    /** The next attempt of a refund is due. Nothing, if it was settled in the meantime. */
    public static Decision retryRefund(String refundNo, Payment now, Parties parties, AttemptPolicy attempts) {
        return now.refund(refundNo)
                .filter(refund -> refund.status() == TRYING)
                .map(refund -> attempt(refund, now, parties, attempts))
                .orElseGet(() -> Decision.of(now, parties));
    }

    /** A hold is older than any order may take. Nothing is guessed: a person is asked, once. */
    public static Decision holdOverdue(Payment now, Parties parties) {
        if (now.status() != Payment.Status.AUTHORIZED) {
            return Decision.of(now, parties);
        }
        WorkItem item = WorkItem.open(
                WorkItem.Kind.HOLD_UNDECIDED,
                now,
                null,
                0,
                "The hold of order " + now.orderId() + " was neither captured nor voided in time. RESEND gives the"
                        + " order the authorization again; canceling or confirming the order settles it.");
        return Decision.of(now, parties).filing(item).saying(item.opened());
    }

    /**
     * A person's decision about a work order.
     *
     * @param item the work order it names, about a payment; null if it is not account's, which is another service's business
     */
    public static Decision resolve(ResolveWorkOrder command, @Nullable WorkItem item, Payment now, Parties parties) {
        if (item == null) {
            return Decision.of(now, parties);
        }
        check(command, item, now);
        return switch (item.kind()) {
            case REFUND_SUSPENDED -> resolveRefund(command, item, now, parties);
            case CAPTURE_SUSPENDED -> resolveCapture(command, item, now, parties);
            case HOLD_UNDECIDED -> resolveHold(command, item, now, parties);
            case DIFFERENCE_SUSPENDED, DIFFERENCE_NOT_POSTED ->
                throw new IllegalArgumentException("about a difference Adjustments decides: " + item);
        };
    }

    // ---- hold, capture, void ----

    private static Decision holdOrDecline(StockReserved reserved, Payment now, Parties parties) {
        if (reserved.getAmount() <= 0) {
            throw new ImpossibleTransition(now, reserved); // no order is about nothing
        }
        Account merchant = parties.merchant();
        var terms = new Terms(
                Account.key(reserved.getMerchantId(), reserved.getPayerAccountId()),
                merchant == null ? null : merchant.key(),
                reserved.getCurrency(),
                reserved.getAmount());
        String refusal = refusal(reserved, parties);
        if (refusal != null) {
            Payment declined = now.declined(reserved.getMerchantId(), terms, refusal);
            return Decision.of(declined, parties, declined(declined, refusal));
        }
        Account payer = parties.knownPayer();
        Payment authorized = now.authorized(reserved.getMerchantId(), terms);
        return Decision.of(authorized, parties.withPayer(payer.hold(terms.amount())), authorized(authorized))
                .moving(Transfer.hold(now.orderId(), payer, parties.knownMerchant(), terms.amount()));
    }

    private static @Nullable String refusal(StockReserved reserved, Parties parties) {
        Account payer = parties.payer();
        if (payer == null
                || payer.kind() != Account.Kind.WALLET
                || !payer.merchantId().equals(reserved.getMerchantId())) {
            return Reasons.UNKNOWN_ACCOUNT;
        }
        if (payer.refusal() != null) {
            return payer.refusal();
        }
        if (!payer.currency().equals(reserved.getCurrency())) {
            return Reasons.CURRENCY_MISMATCH;
        }
        Account merchant = parties.merchant();
        if (merchant == null) {
            return Reasons.UNKNOWN_MERCHANT_ACCOUNT;
        }
        if (merchant.refusal() != null) {
            return merchant.refusal();
        }
        return payer.available() < reserved.getAmount() ? Reasons.INSUFFICIENT_FUNDS : null;
    }

    private static Decision capture(Payment now, Parties parties) {
        Terms terms = now.knownTerms();
        Account merchant = parties.knownMerchant();
        String refusal = merchant.refusal();
        Payment captured = now.become(CAPTURED);
        String credited = refusal == null ? merchant.key() : Account.suspense(terms.currency());
        Decision decision = Decision.of(
                        captured, parties.withPayer(parties.knownPayer().capture(terms.amount())), captured(captured))
                .moving(Transfer.ending(Transfer.Kind.CAPTURE, now, credited));
        if (refusal == null) {
            return decision;
        }
        WorkItem item = WorkItem.open(
                WorkItem.Kind.CAPTURE_SUSPENDED,
                now,
                null,
                terms.amount(),
                "The merchant's account " + merchant.accountId() + " refused the capture of order " + now.orderId()
                        + " (" + refusal + "); its money is in suspense. RETRY credits the account once it is open,"
                        + " PAY_OUT records that the merchant was paid elsewhere.");
        return decision.filing(item).saying(item.opened());
    }

    private static Decision release(Payment now, Parties parties) {
        Payment reversed = now.become(REVERSED);
        long amount = now.knownTerms().amount();
        return Decision.of(
                        reversed, parties.withPayer(parties.knownPayer().release(amount)), voided(reversed, "VOIDED"))
                .moving(Transfer.ending(
                        Transfer.Kind.VOID, now, parties.knownMerchant().key()));
    }

    // ---- refunds ----

    private static Decision firstAttempt(RefundRequested asked, Payment now, Parties parties, AttemptPolicy attempts) {
        if (asked.getAmount() <= 0
                || !asked.getCurrency().equals(now.knownTerms().currency())) {
            throw new ImpossibleTransition(now, asked);
        }
        if (!now.canRefund(asked.getAmount())) {
            PaymentRefund failed = PaymentRefund.asked(
                            asked.getRefundNo(), asked.getAmount(), asked.getRestock(), FAILED)
                    .become(FAILED, Reasons.REFUND_EXCEEDS_CAPTURED);
            return Decision.of(now.with(failed), parties, answer(failed, now));
        }
        PaymentRefund refund =
                PaymentRefund.asked(asked.getRefundNo(), asked.getAmount(), asked.getRestock(), COMPLETED);
        return attempt(refund, now, parties, attempts);
    }

    private static Decision answerAgain(RefundRequested asked, PaymentRefund refund, Payment now, Parties parties) {
        if (asked.getAmount() != refund.amount()) {
            throw new ImpossibleTransition(now, asked); // one number, two refunds
        }
        return refund.status() == TRYING ? Decision.of(now, parties) : Decision.of(now, parties, answer(refund, now));
    }

    private static Decision attempt(PaymentRefund refund, Payment now, Parties parties, AttemptPolicy attempts) {
        Account payer = parties.knownPayer();
        String refusal = payer.refusalToTake(refund.amount());
        if (refusal == null) {
            PaymentRefund completed = refund.tried(COMPLETED, null, null);
            return Decision.of(
                            now.with(completed),
                            parties.withPayer(payer.credit(refund.amount())),
                            answer(completed, now))
                    .moving(Transfer.moving(
                            Transfer.Kind.REFUND,
                            now,
                            refund.refundNo(),
                            parties.knownMerchant().key(),
                            payer.key(),
                            refund.amount()));
        }
        Instant again = attempts.nextAfter(refund.attempts() + 1);
        return again == null
                ? suspend(refund.tried(SUSPENDED, null, refusal), refusal, now, parties)
                : Decision.of(now.with(refund.tried(TRYING, again, refusal)), parties);
    }

    private static Decision suspend(PaymentRefund suspended, String refusal, Payment now, Parties parties) {
        WorkItem item = WorkItem.open(
                WorkItem.Kind.REFUND_SUSPENDED,
                now,
                suspended.refundNo(),
                suspended.amount(),
                "The payer's account " + parties.knownPayer().accountId() + " refused refund " + suspended.refundNo()
                        + " of order " + now.orderId() + " " + suspended.attempts() + " times (" + refusal
                        + "); its money is in suspense. RETRY pays the account once it takes money again, PAY_OUT"
                        + " records that the payer was paid elsewhere, RETURN gives it back to the merchant.");
        return Decision.of(now.with(suspended), parties, answer(suspended, now))
                .moving(Transfer.moving(
                        Transfer.Kind.SUSPEND,
                        now,
                        suspended.refundNo(),
                        parties.knownMerchant().key(),
                        Account.suspense(now.knownTerms().currency()),
                        suspended.amount()))
                .filing(item)
                .saying(item.opened());
    }

    private static SpecificRecord answer(PaymentRefund refund, Payment payment) {
        var order = payment.orderId();
        String merchant = payment.merchantId();
        String currency = payment.knownTerms().currency();
        return switch (refund.status()) {
            case COMPLETED, PAID_OUT ->
                new RefundCompleted(order, merchant, refund.refundNo(), currency, refund.amount(), refund.restock());
            case FAILED, RETURNED ->
                new RefundFailed(order, merchant, refund.refundNo(), currency, refund.amount(), reasonOf(refund));
            case SUSPENDED ->
                new RefundSuspended(order, merchant, refund.refundNo(), currency, refund.amount(), reasonOf(refund));
            case TRYING -> throw new IllegalStateException("a refund that is still tried has no answer");
        };
    }

    private static String reasonOf(PaymentRefund refund) {
        return Objects.requireNonNull(refund.reason(), "a refused refund has a reason");
    }

    // ---- work orders ----

    private static void check(ResolveWorkOrder command, WorkItem item, Payment now) {
        boolean sameRefund =
                command.getRefundNo() == null || command.getRefundNo().equals(item.refundNo());
        boolean sameAmount = command.getAmount() == null || command.getAmount() == item.suspended();
        boolean sameOrder =
                item.orderId().equals(command.getOrderId()) && now.merchantId().equals(command.getMerchantId());
        if (!sameOrder || !sameRefund || !sameAmount || command.getAccount() != null) {
            throw new ImpossibleTransition("work order " + item.kind() + " of " + now, command);
        }
    }

    private static Decision resolveRefund(ResolveWorkOrder command, WorkItem item, Payment now, Parties parties) {
        String refundNo = Objects.requireNonNull(item.refundNo(), "a refund's work order names it");
        PaymentRefund refund = now.refund(refundNo).orElseThrow(() -> new ImpossibleTransition(now, command));
        if (!item.isOpen()) {
            return Decision.of(now, parties, answer(refund, now), item.closed());
        }
        if (refund.status() != SUSPENDED) {
            throw new ImpossibleTransition(refund, command);
        }
        Account payer = parties.knownPayer();
        return switch (command.getAction()) {
            case "RETRY" ->
                payer.refusalToTake(refund.amount()) == null
                        ? settleRefund(
                                command,
                                item,
                                refund.become(PAID_OUT),
                                payer.key(),
                                now,
                                parties.withPayer(payer.credit(refund.amount())))
                        : stillRefused(item, payer, now, parties);
            case "PAY_OUT" ->
                settleRefund(
                        command,
                        item,
                        refund.become(PAID_OUT),
                        Account.external(now.knownTerms().currency()),
                        now,
                        parties);
            case "RETURN" ->
                parties.knownMerchant().refusal() == null
                        ? settleRefund(
                                command,
                                item,
                                refund.become(RETURNED, Reasons.RETURNED_TO_MERCHANT),
                                parties.knownMerchant().key(),
                                now,
                                parties)
                        : stillRefused(item, parties.knownMerchant(), now, parties);
            default -> throw new ImpossibleTransition(refund, command);
        };
    }

    private static Decision settleRefund(
            ResolveWorkOrder command,
            WorkItem item,
            PaymentRefund settled,
            String credited,
            Payment now,
            Parties after) {
        return close(command, item, now.with(settled), after, answer(settled, now))
                .moving(Transfer.moving(
                        settled.status() == RETURNED ? Transfer.Kind.RETURN : Transfer.Kind.PAY_OUT,
                        now,
                        settled.refundNo(),
                        Account.suspense(now.knownTerms().currency()),
                        credited,
                        settled.amount()));
    }

    private static Decision resolveCapture(ResolveWorkOrder command, WorkItem item, Payment now, Parties parties) {
        if (!item.isOpen()) {
            return Decision.of(now, parties, item.closed());
        }
        Account merchant = parties.knownMerchant();
        return switch (command.getAction()) {
            case "RETRY" ->
                merchant.refusal() == null
                        ? settleCapture(command, item, Transfer.Kind.RETURN, merchant.key(), now, parties)
                        : stillRefused(item, merchant, now, parties);
            case "PAY_OUT" ->
                settleCapture(
                        command,
                        item,
                        Transfer.Kind.PAY_OUT,
                        Account.external(now.knownTerms().currency()),
                        now,
                        parties);
            default -> throw new ImpossibleTransition(now, command);
        };
    }

    private static Decision settleCapture(
            ResolveWorkOrder command,
            WorkItem item,
            Transfer.Kind kind,
            String credited,
            Payment now,
            Parties parties) {
        return close(command, item, now, parties)
                .moving(Transfer.moving(
                        kind, now, null, Account.suspense(now.knownTerms().currency()), credited, item.suspended()));
    }

    private static Decision resolveHold(ResolveWorkOrder command, WorkItem item, Payment now, Parties parties) {
        if (!item.isOpen()) {
            return Decision.of(now, parties, item.closed());
        }
        if (!command.getAction().equals("RESEND")) {
            throw new ImpossibleTransition(now, command);
        }
        return now.status() == Payment.Status.AUTHORIZED
                ? close(command, item, now, parties, authorized(now))
                : close(command, item, now, parties);
    }

    private static Decision stillRefused(WorkItem item, Account account, Payment now, Parties parties) {
        String refusal = Objects.requireNonNullElse(account.refusal(), Reasons.BALANCE_LIMIT);
        return Decision.of(
                now,
                parties,
                item.opened(
                        "Tried again and refused: " + account.accountId() + " is " + refusal + ". " + item.detail()));
    }

    private static Decision close(
            ResolveWorkOrder command, WorkItem item, Payment after, Parties parties, SpecificRecord... answers) {
        WorkItem closed = item.resolved(new Resolution(command.getAction(), command.getActor(), command.getNote()));
        return Decision.of(after, parties, answers).filing(closed).saying(closed.closed());
    }

    // ---- what is said ----

    private static PaymentAuthorized authorized(Payment payment) {
        Terms terms = payment.knownTerms();
        return new PaymentAuthorized(payment.orderId(), payment.merchantId(), terms.currency(), terms.amount());
    }

    private static PaymentCaptured captured(Payment payment) {
        Terms terms = payment.knownTerms();
        return new PaymentCaptured(payment.orderId(), payment.merchantId(), terms.currency(), terms.amount());
    }

    private static PaymentDeclined declined(Payment payment, String reason) {
        return new PaymentDeclined(payment.orderId(), payment.merchantId(), reason);
    }

    private static PaymentVoided voided(Payment payment, String outcome) {
        return new PaymentVoided(payment.orderId(), payment.merchantId(), outcome);
    }

    private Reactions() {}
}
