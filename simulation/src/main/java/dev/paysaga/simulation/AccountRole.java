package dev.paysaga.simulation;

import static dev.paysaga.events.Topics.INVENTORY_EVENTS;
import static dev.paysaga.events.Topics.ORDER_COMPENSATIONS;
import static dev.paysaga.events.Topics.ORDER_EVENTS;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Adjusted;
import dev.paysaga.account.domain.Adjustments;
import dev.paysaga.account.domain.AttemptPolicy;
import dev.paysaga.account.domain.Decision;
import dev.paysaga.account.domain.Parties;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Purse;
import dev.paysaga.account.domain.Reactions;
import dev.paysaga.account.domain.Transfer;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Account-service in the simulated world. Its sagas share one wallet and one merchant's account. */
public final class AccountRole implements Participant {

    static final String NAME = "account";

    /** Those in which the merchant has, or had, the money. */
    static final Set<Payment.Status> CAPTURED =
            Set.of(Payment.Status.CAPTURED, Payment.Status.REFUNDING, Payment.Status.REFUNDED);

    private static final AttemptPolicy ATTEMPTS = AttemptPolicy.at(Instant.EPOCH);

    /**
     * What account knows of one order.
     *
     * @param ledger ids of the transfers made for it
     * @param postedTwice whether a decision moved money under an id that had moved it before
     */
    record Money(Payment payment, Map<UUID, WorkItem> workItems, Set<UUID> ledger, boolean postedTwice) {

        long suspended() {
            return workItems.values().stream()
                    .filter(WorkItem::isOpen)
                    .mapToLong(WorkItem::suspended)
                    .sum();
        }

        /** What a person has taken from the merchant's account as a difference, and did not give back. */
        private long taken() {
            return workItems.values().stream()
                    .filter(item -> item.id().equals(Adjustments.suspendedBy(Cast.MERCHANT_HAS_TOO_MUCH)))
                    .filter(item -> item.resolution() == null
                            || !item.resolution().action().equals("RETURN"))
                    .mapToLong(WorkItem::suspended)
                    .sum();
        }

        /** What went past the merchant's account, because it was not open, or a person took it: now in suspense or elsewhere. */
        long capturedElsewhere() {
            return taken()
                    + workItems.values().stream()
                            .filter(item -> item.kind() == WorkItem.Kind.CAPTURE_SUSPENDED)
                            .filter(item -> item.resolution() == null
                                    || item.resolution().action().equals("PAY_OUT"))
                            .mapToLong(WorkItem::suspended)
                            .sum();
        }

        boolean hasOpenWorkOrder() {
            return workItems.values().stream().anyMatch(WorkItem::isOpen);
        }
    }

    /** The accounts; balances of all but the wallet follow from the transfers. */
    record Bank(Account payer, Account merchant, long takings, long suspense, long external) {

        Bank with(Account next) {
            return new Bank(next, merchant, takings, suspense, external);
        }
    }

    private final long wallet;

    public AccountRole(long wallet) {
        this.wallet = wallet;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> hears() {
        return Set.of(INVENTORY_EVENTS, ORDER_EVENTS, ORDER_COMPENSATIONS);
    }

    @Override
    public boolean passesBy(Object event) {
        return !(event instanceof StockReserved
                || event instanceof OrderConfirmed
                || event instanceof OrderCanceled
                || event instanceof RefundRequested);
    }

    @Override
    public Object start(int saga) {
        return new Money(Payment.unseen(Cast.ORDER), Map.of(), Set.of(), false);
    }

    @Override
    public Object shared() {
        Account payer = Account.open(Cast.MERCHANT, Cast.PAYER, Account.Kind.WALLET, Cast.EUR);
        return new Bank(
                wallet == 0 ? payer : payer.credit(wallet),
                Account.open(Cast.MERCHANT, Cast.TAKINGS, Account.Kind.MERCHANT, Cast.EUR),
                0,
                0,
                -wallet);
    }

    @Override
    public Step react(Object event, Object local, Object shared) {
        var money = (Money) local;
        var bank = (Bank) shared;
        Payment now = money.payment();
        var parties = new Parties(bank.payer(), bank.merchant());
        return switch (event) {
            case StockReserved e -> step(Reactions.on(e, now, parties), money, bank);
            case OrderConfirmed e -> step(Reactions.on(e, now, parties), money, bank);
            case OrderCanceled e -> step(Reactions.on(e, now, parties), money, bank);
            case RefundRequested e -> step(Reactions.on(e, now, parties, ATTEMPTS), money, bank);
            default -> throw new IllegalArgumentException(NAME + " has no reaction to " + event);
        };
    }

    @Override
    public String label(Object local) {
        return ((Money) local).payment().status().name();
    }

    @Override
    public String label(Object local, Object event) {
        Payment payment = ((Money) local).payment();
        return event instanceof RefundRequested e && CAPTURED.contains(payment.status())
                ? payment.refund(e.getRefundNo())
                        .map(refund -> "refund " + refund.status())
                        .orElse("refund new")
                : label(local);
    }

    static @Nullable Step retryRefund(Object local, Object shared, int number) {
        var money = (Money) local;
        var bank = (Bank) shared;
        String refundNo = "refund-" + number;
        boolean due = money.payment()
                .refund(refundNo)
                .filter(refund -> refund.status() == PaymentRefund.Status.TRYING)
                .isPresent();
        return due
                ? step(
                        Reactions.retryRefund(
                                refundNo, money.payment(), new Parties(bank.payer(), bank.merchant()), ATTEMPTS),
                        money,
                        bank)
                : null;
    }

    /** A person decides the first open work order of this kind. */
    static @Nullable Step resolve(Object local, Object shared, WorkItem.Kind kind, String action) {
        var money = (Money) local;
        var bank = (Bank) shared;
        return money.workItems().values().stream()
                .filter(item -> item.isOpen() && item.kind() == kind)
                .min(Comparator.comparing(WorkItem::id))
                .map(item -> step(
                        Reactions.resolve(
                                new ResolveWorkOrder(
                                        item.id(),
                                        Cast.ORDER,
                                        Cast.MERCHANT,
                                        action,
                                        item.refundNo(),
                                        item.suspended(),
                                        "someone",
                                        null,
                                        null),
                                item,
                                money.payment(),
                                new Parties(bank.payer(), bank.merchant())),
                        money,
                        bank))
                .filter(step -> !step.local().equals(local))
                .orElse(null);
    }

    /** A person says that an account has a cent too much. */
    static Step post(Object local, Object shared, UUID workOrder) {
        return post(local, (Bank) shared, workOrder, known((Money) local, workOrder), purse((Bank) shared, workOrder));
    }

    /** As {@link #post(Object, Object, UUID)}, by somebody who knows this much, and of an account with this much. */
    static Step post(Object local, Bank bank, UUID workOrder, Adjustments.Known known, Purse purse) {
        String account = purse.account().key();
        var command =
                new PostToSuspense(workOrder, Cast.ORDER, Cast.MERCHANT, account, null, Cast.EUR, 1L, "someone", null);
        return step(Adjustments.on(command, known, purse), local, bank);
    }

    static Adjustments.Known known(Money money, UUID workOrder) {
        return new Adjustments.Known(
                money.workItems().get(workOrder),
                money.workItems().get(Adjustments.suspendedBy(workOrder)),
                money.workItems().get(Adjustments.refusedBy(workOrder)));
    }

    /** A person decides about what was posted, or could not be. */
    static @Nullable Step settle(Object local, Object shared, UUID workOrder, String action) {
        var bank = (Bank) shared;
        boolean posted = !action.equals("WRITE_OFF");
        UUID id = posted ? Adjustments.suspendedBy(workOrder) : Adjustments.refusedBy(workOrder);
        WorkItem item = ((Money) local).workItems().get(id);
        if (item == null) {
            return null;
        }
        var command = new ResolveWorkOrder(id, Cast.ORDER, Cast.MERCHANT, action, null, null, "someone", null, null);
        return step(Adjustments.resolve(command, item, purse(bank, workOrder), null), local, bank);
    }

    static Purse purse(Bank bank, UUID workOrder) {
        return workOrder.equals(Cast.PAYER_HAS_TOO_MUCH)
                ? Purse.of(bank.payer())
                : Purse.of(bank.merchant(), BigInteger.valueOf(bank.takings()));
    }

    /** Somebody blocks, opens or closes the payer's account. An account with holds is not closed. */
    static @Nullable Step payer(Object shared, Account.Status from, Account.Status to) {
        var bank = (Bank) shared;
        if (bank.payer().status() != from
                || to == Account.Status.CLOSED && bank.payer().held() > 0) {
            return null;
        }
        return Step.of(
                "", new Bank(bank.payer().with(to), bank.merchant(), bank.takings(), bank.suspense(), bank.external()));
    }

    /** Somebody blocks or opens the merchant's account. */
    static @Nullable Step merchant(Object shared, Account.Status from, Account.Status to) {
        var bank = (Bank) shared;
        return bank.merchant().status() == from
                ? Step.of(
                        "",
                        new Bank(
                                bank.payer(),
                                bank.merchant().with(to),
                                bank.takings(),
                                bank.suspense(),
                                bank.external()))
                : null;
    }

    private static Step step(Decision decision, Money before, Bank bank) {
        Bank after = bank.with(Objects.requireNonNull(decision.parties().payer()));
        return step(decision.payment(), decision.workItems(), decision.transfers(), decision.events(), before, after);
    }

    private static Step step(Adjusted adjusted, Object before, Bank bank) {
        Purse purse = adjusted.purse();
        Bank after = purse != null && purse.account().kind() == Account.Kind.WALLET ? bank.with(purse.account()) : bank;
        Payment payment = ((Money) before).payment();
        return step(payment, adjusted.workItems(), adjusted.transfers(), adjusted.events(), (Money) before, after);
    }

    private static Step step(
            Payment p,
            List<WorkItem> workItems,
            List<Transfer> transfers,
            List<SpecificRecord> events,
            Money before,
            Bank bank) {
        var items = new HashMap<>(before.workItems());
        workItems.forEach(item -> items.put(item.id(), item));
        var ledger = new TreeSet<>(before.ledger());
        boolean twice = before.postedTwice();
        Bank after = bank;
        for (Transfer transfer : transfers) {
            twice |= !ledger.add(transfer.id());
            after = posted(after, transfer);
        }
        var unversioned = new Payment(p.orderId(), p.merchantId(), p.status(), p.terms(), p.reason(), p.refunds(), 0);
        return new Step(new Money(unversioned, Map.copyOf(items), Set.copyOf(ledger), twice), after, events);
    }

    /** The wallet's balance is the decision's own; the others' follow from the transfer. */
    private static Bank posted(Bank bank, Transfer transfer) {
        if (!transfer.kind().movesMoney()) {
            return bank;
        }
        return new Bank(
                bank.payer(),
                bank.merchant(),
                bank.takings() + change(transfer, bank.merchant().key()),
                bank.suspense() + change(transfer, Account.suspense(Cast.EUR)),
                bank.external() + change(transfer, Account.external(Cast.EUR)));
    }

    private static long change(Transfer transfer, String account) {
        return transfer.creditAccount().equals(account)
                ? transfer.amount()
                : transfer.debitAccount().equals(account) ? -transfer.amount() : 0;
    }
}
