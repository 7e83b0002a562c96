package dev.paysaga.account.domain;

import static dev.paysaga.account.domain.WorkItem.Kind.DIFFERENCE_NOT_POSTED;
import static dev.paysaga.account.domain.WorkItem.Kind.DIFFERENCE_SUSPENDED;

import dev.paysaga.account.domain.WorkItem.Resolution;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.saga.ImpossibleTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Everything account does about a difference that a person posts to suspense. Pure, like {@link Reactions}.
 *
 * <pre>
 *                  PostToSuspense (1)                           ResolveWorkOrder (2)
 * new              SUSPENDED: ADJUSTMENT, WorkOrderOpened       another service's business
 *                  or NOT_POSTED: WorkOrderOpened  (3)
 * SUSPENDED        WorkOrderOpened                              RETURN, PAY_OUT: RETURNED, PAID_OUT, WorkOrderResolved
 *                                                               or WorkOrderOpened, as it is still refused
 * RETURNED,        WorkOrderResolved                            WorkOrderResolved
 * PAID_OUT
 * NOT_POSTED       WorkOrderOpened, and nothing moves  (4)      WRITE_OFF: WRITTEN_OFF, WorkOrderResolved
 * WRITTEN_OFF      WorkOrderResolved, and nothing moves         WorkOrderResolved
 * </pre>
 *
 * <p>(1) Posted once for each work order that a person so resolves, also when every memory of events is gone: all ids derive
 * from that work order. The same work order with another amount cannot follow: parked.
 *
 * <p>(2) RETURN: back where it came from. PAY_OUT: to the account named, or outside the ledger if none is; what is missing in
 * suspense comes from there. Any other action, or a wrong amount, cannot follow: parked, or told to whoever asked over HTTP.
 *
 * <p>(3) The first that applies: INVALID_AMOUNT, UNKNOWN_ACCOUNT, CURRENCY_MISMATCH; taken from an account:
 * INSUFFICIENT_FUNDS, where what is held is not there to be taken; given to an account: ACCOUNT_BLOCKED, ACCOUNT_CLOSED,
 * BALANCE_LIMIT. Nothing is tried again by itself: a person is told by a work order.
 *
 * <p>(4) That work order can be resolved with POST_TO_SUSPENSE in its turn: then the command names it, and is new.
 */
public final class Adjustments {

    /**
     * What is known of a command.
     *
     * @param named the work order it names, if that is account's own; the console's is not known here
     * @param suspended the work order about what was posted because of it
     * @param refused the work order about its refusal
     */
    public record Known(
            @Nullable WorkItem named,
            @Nullable WorkItem suspended,
            @Nullable WorkItem refused) {

        /** Heard for the first time. */
        public static final Known NOTHING = new Known(null, null, null);
    }

    private static final String POST_TO_SUSPENSE = "POST_TO_SUSPENSE";

    /** The account that is to be adjusted; null if it is none. */
    public static @Nullable String account(PostToSuspense command, Payment payment) {
        if (command.getAccount() != null) {
            return command.getAccount();
        }
        Terms terms = payment.terms();
        if (terms == null || !payment.merchantId().equals(command.getMerchantId())) {
            return null;
        }
        return switch (Objects.requireNonNullElse(command.getSide(), "")) {
            case "PAYER" -> terms.payerAccount();
            case "MERCHANT" -> terms.merchantAccount();
            default -> null;
        };
    }

    /** The id of the work order about what is posted because of this work order. */
    public static UUID suspendedBy(UUID workOrder) {
        return WorkItem.idOf(DIFFERENCE_SUSPENDED, workOrder, null);
    }

    /** The id of the work order about what could not be posted because of this work order. */
    public static UUID refusedBy(UUID workOrder) {
        return WorkItem.idOf(DIFFERENCE_NOT_POSTED, workOrder, null);
    }

    /**
     * A person has a difference posted.
     *
     * @param purse the account concerned; null if there is none
     */
    public static Adjusted on(PostToSuspense command, Known known, @Nullable Purse purse) {
        WorkItem named = known.named();
        if (known.suspended() != null) {
            return answerAgain(command, known.suspended());
        }
        if (known.refused() != null) {
            return answerAgain(known.refused());
        }
        if (named != null && named.kind() != DIFFERENCE_NOT_POSTED) {
            throw new ImpossibleTransition(named.kind() + " " + named.id(), command);
        }
        if (named != null && !named.isOpen()) {
            return answerAgain(named);
        }
        String refusal = refusal(command, purse);
        if (purse != null && refusal == null) {
            return post(command, named, purse);
        }
        String why = words(command) + ", which is refused: " + refusal + ".";
        return Adjusted.asking(
                named == null
                        ? refused(
                                command,
                                why + " Nothing was moved. POST_TO_SUSPENSE tries again, also with another account or"
                                        + " amount; WRITE_OFF does without it.")
                        : named.triedAgain(why));
    }

    /**
     * A person's decision about what is in suspense, or about what could not be posted.
     *
     * @param item the work order it names, about a difference
     * @param origin the account that was adjusted; null if nothing was, or it is done with
     * @param other the account that the command names; null if it names none, or there is none
     */
    public static Adjusted resolve(
            ResolveWorkOrder command, WorkItem item, @Nullable Purse origin, @Nullable Purse other) {
        check(command, item);
        if (!item.isOpen()) {
            return Adjusted.saying(item.closed());
        }
        return switch (item.kind() + " " + command.getAction()) {
            case "DIFFERENCE_SUSPENDED RETURN" -> settle(command, item, Transfer.Kind.RETURN, origin);
            case "DIFFERENCE_SUSPENDED PAY_OUT" ->
                command.getAccount() == null
                        ? settleOutside(command, item)
                        : settle(command, item, Transfer.Kind.PAY_OUT, other);
            case "DIFFERENCE_NOT_POSTED WRITE_OFF" -> close(command, item, null, List.of());
            default -> throw new ImpossibleTransition(item.kind() + " " + item.id(), command);
        };
    }

    // ---- posting ----

    private static Adjusted answerAgain(PostToSuspense command, WorkItem suspended) {
        boolean same = command.getAmount() == suspended.suspended()
                && command.getCurrency().equals(suspended.currency())
                && command.getOrderId().equals(suspended.orderId());
        if (!same) {
            throw new ImpossibleTransition("what was posted for work order " + command.getWorkOrderId(), command);
        }
        return answerAgain(suspended);
    }

    private static Adjusted answerAgain(WorkItem item) {
        return Adjusted.saying(item.isOpen() ? item.opened() : item.closed());
    }

    private static @Nullable String refusal(PostToSuspense command, @Nullable Purse purse) {
        long amount = command.getAmount();
        if (amount == 0 || amount == Long.MIN_VALUE) {
            return Reasons.INVALID_AMOUNT;
        }
        return purse == null ? Reasons.UNKNOWN_ACCOUNT : refusal(purse, command.getCurrency(), -amount);
    }

    private static @Nullable String refusal(Purse purse, String currency, long change) {
        return purse.account().currency().equals(currency) ? purse.refusal(change) : Reasons.CURRENCY_MISMATCH;
    }

    private static Adjusted post(PostToSuspense command, @Nullable WorkItem named, Purse purse) {
        var item = new WorkItem(
                suspendedBy(command.getWorkOrderId()),
                DIFFERENCE_SUSPENDED,
                command.getOrderId(),
                purse.account().merchantId(),
                null,
                command.getCurrency(),
                command.getAmount(),
                words(command)
                        + (command.getAmount() > 0
                                ? ". It is in suspense. RETURN gives it back to the account, PAY_OUT to another one"
                                : ". It came out of suspense. RETURN takes it back from the account, PAY_OUT from another"
                                        + " one")
                        + ", or outside the ledger if none is named.",
                null);
        var items = new ArrayList<>(List.of(item));
        var events = new ArrayList<SpecificRecord>(List.of(item.opened()));
        if (named != null) {
            WorkItem closed = named.resolved(new Resolution(POST_TO_SUSPENSE, command.getActor(), command.getNote()));
            items.add(closed);
            events.add(closed.closed());
        }
        return new Adjusted(
                purse.after(-command.getAmount()),
                List.of(Transfer.adjusting(Transfer.Kind.ADJUSTMENT, item, purse.key(), command.getAmount())),
                items,
                events);
    }

    private static WorkItem refused(PostToSuspense command, String detail) {
        return new WorkItem(
                refusedBy(command.getWorkOrderId()),
                DIFFERENCE_NOT_POSTED,
                command.getOrderId(),
                command.getMerchantId(),
                null,
                null,
                0,
                detail,
                null);
    }

    private static String words(PostToSuspense command) {
        String account =
                command.getAccount() == null ? "the order's " + command.getSide() : "account " + command.getAccount();
        String amount = String.valueOf(command.getAmount()).replace("-", "") + " " + command.getCurrency();
        return command.getActor() + " decided by work order " + command.getWorkOrderId() + " that " + account
                + (command.getAmount() < 0 ? " lacks " + amount : " has " + amount + " too much");
    }

    // ---- what becomes of it ----

    private static void check(ResolveWorkOrder command, WorkItem item) {
        boolean sameAmount = command.getAmount() == null || command.getAmount() == item.suspended();
        boolean same = item.orderId().equals(command.getOrderId())
                && item.merchantId().equals(command.getMerchantId())
                && command.getRefundNo() == null;
        boolean namesForNothing =
                command.getAccount() != null && !command.getAction().equals("PAY_OUT");
        if (!same || !sameAmount || namesForNothing) {
            throw new ImpossibleTransition(item.kind() + " " + item.id(), command);
        }
    }

    private static Adjusted settle(ResolveWorkOrder command, WorkItem item, Transfer.Kind kind, @Nullable Purse purse) {
        long change = item.suspended();
        String refusal = purse == null
                ? Reasons.UNKNOWN_ACCOUNT
                : refusal(purse, Objects.requireNonNull(item.currency()), change);
        if (purse == null || refusal != null) {
            String account = purse == null ? String.valueOf(command.getAccount()) : purse.key();
            return Adjusted.asking(
                    item.triedAgain(kind + " with account " + account + " was refused: " + refusal + "."));
        }
        return close(
                command,
                item,
                purse.after(change),
                List.of(Transfer.adjusting(kind, item, purse.key(), Math.negateExact(change))));
    }

    private static Adjusted settleOutside(ResolveWorkOrder command, WorkItem item) {
        String outside = Account.external(Objects.requireNonNull(item.currency()));
        return close(
                command,
                item,
                null,
                List.of(Transfer.adjusting(Transfer.Kind.PAY_OUT, item, outside, Math.negateExact(item.suspended()))));
    }

    private static Adjusted close(
            ResolveWorkOrder command, WorkItem item, @Nullable Purse after, List<Transfer> transfers) {
        WorkItem closed = item.resolved(new Resolution(command.getAction(), command.getActor(), command.getNote()));
        return new Adjusted(after, transfers, List.of(closed), List.of(closed.closed()));
    }

    private Adjustments() {}
}
