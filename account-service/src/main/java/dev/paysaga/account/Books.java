package dev.paysaga.account;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Adjusted;
import dev.paysaga.account.domain.Adjustments;
import dev.paysaga.account.domain.AttemptPolicy;
import dev.paysaga.account.domain.Decision;
import dev.paysaga.account.domain.Parties;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Purse;
import dev.paysaga.account.domain.Terms;
import dev.paysaga.account.domain.Transfer;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.state.Transition;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of the books that one batch may touch: locked in the database, changed here decision by decision, written back
 * once. A payment that was never stored cannot be locked; two who are the first to store it find out when they save.
 */
final class Books {

    private final Supplier<AttemptPolicy> policy;
    private @Nullable AttemptPolicy attempts;
    private final Map<UUID, Payment> loadedPayments;
    private final Set<UUID> overdue;
    private final Map<String, Account> loadedWallets;
    private final Map<UUID, Payment> payments;
    private final Map<String, Account> wallets;
    private final Map<MerchantCurrency, Account> merchants;
    private final Adjustable adjustable;
    private final Map<UUID, WorkItem> workItems;
    private final Map<RefundKey, PaymentRefund> changedRefunds = new LinkedHashMap<>();
    private final Map<UUID, WorkItem> filed = new LinkedHashMap<>();
    private final List<Transfer> transfers = new ArrayList<>();
    private final List<Transition> transitions = new ArrayList<>();

    /**
     * @param overdue the payments about whose hold a person was asked
     * @param adjustable what differences are about
     */
    Books(
            Supplier<AttemptPolicy> policy,
            Map<UUID, Payment> payments,
            Set<UUID> overdue,
            Map<String, Account> wallets,
            Map<MerchantCurrency, Account> merchants,
            Adjustable adjustable,
            Map<UUID, WorkItem> workItems) {
        this.policy = policy;
        this.loadedPayments = Map.copyOf(payments);
        this.overdue = Set.copyOf(overdue);
        this.loadedWallets = Map.copyOf(wallets);
        this.payments = new HashMap<>(payments);
        this.wallets = new HashMap<>(wallets);
        this.merchants = Map.copyOf(merchants);
        this.adjustable = adjustable;
        this.workItems = new HashMap<>(workItems);
    }

    /** One policy for the whole batch, and no question to the database's clock if nobody asks. */
    AttemptPolicy attempts() {
        AttemptPolicy known = attempts;
        if (known == null) {
            known = policy.get();
            attempts = known;
        }
        return known;
    }

    Payment payment(UUID orderId) {
        Payment known = payments.get(orderId);
        return known == null ? Payment.unseen(orderId) : known;
    }

    @Nullable
    WorkItem workItem(UUID id) {
        return workItems.get(id);
    }

    /** The accounts an order names that asks for a hold. */
    Parties parties(StockReserved asked) {
        return new Parties(
                wallets.get(Account.key(asked.getMerchantId(), asked.getPayerAccountId())),
                merchants.get(new MerchantCurrency(asked.getMerchantId(), asked.getCurrency())));
    }

    /** The accounts of a payment; nobody if it has no terms. */
    Parties parties(Payment payment) {
        Terms terms = payment.terms();
        return terms == null
                ? Parties.NONE
                : new Parties(
                        wallets.get(terms.payerAccount()),
                        merchants.get(new MerchantCurrency(payment.merchantId(), terms.currency())));
    }

    /** Keeps what was decided because of this event. */
    void keep(UUID eventId, Payment before, Decision decision) {
        Payment after = decision.payment();
        Account payer = decision.parties().payer();
        if (payer != null) {
            wallets.put(payer.key(), payer);
        }
        transfers.addAll(decision.transfers());
        file(decision.workItems());
        if (after.version() != before.version()) {
            payments.put(after.orderId(), after);
            after.refunds().stream()
                    .filter(refund -> !before.refunds().contains(refund))
                    .forEach(refund -> changedRefunds.put(new RefundKey(after.orderId(), refund.refundNo()), refund));
            transitions.add(new Transition(
                    after.orderId(),
                    eventId,
                    before.status().code(),
                    after.status().code(),
                    after.version(),
                    before.status().name(),
                    after.status().name()));
        }
    }

    /** Keeps what was decided about a difference. */
    void keep(Adjusted adjusted) {
        Purse purse = adjusted.purse();
        if (purse != null && purse.account().kind() == Account.Kind.WALLET) {
            wallets.put(purse.account().key(), purse.account());
        }
        transfers.addAll(adjusted.transfers());
        file(adjusted.workItems());
    }

    private void file(List<WorkItem> items) {
        items.forEach(item -> {
            workItems.put(item.id(), item);
            filed.put(item.id(), item);
        });
    }

    /** What is known of this posting. */
    Adjustments.Known known(PostToSuspense command) {
        UUID workOrder = command.getWorkOrderId();
        return new Adjustments.Known(
                workItem(workOrder),
                workItem(Adjustments.suspendedBy(workOrder)),
                workItem(Adjustments.refusedBy(workOrder)));
    }

    /** The account that a difference was posted about; null if this work order is about none. */
    @Nullable
    Purse origin(UUID workOrder) {
        return purse(adjustable.origins().get(workOrder));
    }

    /** A merchant's account and what can be taken from it, with what this batch has moved so far; null if there is none. */
    @Nullable
    Purse purse(@Nullable String key) {
        if (key == null) {
            return null;
        }
        Account wallet = wallets.get(key);
        Account takings = adjustable.takings().get(key);
        if (wallet != null || takings == null) {
            return wallet == null ? null : Purse.of(wallet);
        }
        BigInteger posted = adjustable.posted().getOrDefault(key, BigInteger.ZERO);
        for (Transfer transfer : transfers) {
            if (transfer.kind().movesMoney()) {
                BigInteger amount = BigInteger.valueOf(transfer.amount());
                posted = transfer.creditAccount().equals(key) ? posted.add(amount) : posted;
                posted = transfer.debitAccount().equals(key) ? posted.subtract(amount) : posted;
            }
        }
        return Purse.of(takings, posted);
    }

    /** Payments that are stored for the first time. */
    List<Payment> newPayments() {
        return payments.values().stream()
                .filter(payment -> !loadedPayments.containsKey(payment.orderId()))
                .sorted((a, b) -> a.orderId().compareTo(b.orderId()))
                .toList();
    }

    /** Stored payments that have changed. */
    List<ChangedPayment> changedPayments() {
        return loadedPayments.values().stream()
                .map(before -> new ChangedPayment(before.version(), payment(before.orderId())))
                .filter(change -> change.versionBefore() != change.after().version())
                .toList();
    }

    /** Payments about whose hold a person was asked, and whose hold is settled now. */
    List<Payment> settledOverdue() {
        return changedPayments().stream()
                .map(ChangedPayment::after)
                .filter(payment -> overdue.contains(payment.orderId()) && payment.status() != Payment.Status.AUTHORIZED)
                .filter(payment -> Objects.requireNonNull(loadedPayments.get(payment.orderId()))
                                .status()
                        == Payment.Status.AUTHORIZED)
                .toList();
    }

    List<Account> changedWallets() {
        return wallets.values().stream()
                .filter(wallet -> !wallet.equals(loadedWallets.get(wallet.key())))
                .toList();
    }

    Map<RefundKey, PaymentRefund> changedRefunds() {
        return changedRefunds;
    }

    Collection<WorkItem> filedItems() {
        return filed.values();
    }

    List<Transfer> newTransfers() {
        return transfers;
    }

    List<Transition> transitions() {
        return transitions;
    }

    /** Where a merchant's account is found. */
    record MerchantCurrency(String merchantId, String currency) {}

    record RefundKey(UUID orderId, String refundNo) {}

    record ChangedPayment(int versionBefore, Payment after) {}

    /**
     * What differences are about, apart from wallets.
     *
     * @param origins the account that was adjusted, by work order
     * @param takings merchants' accounts that nobody else posts to now, by key
     * @param posted what these have
     */
    record Adjustable(Map<UUID, String> origins, Map<String, Account> takings, Map<String, BigInteger> posted) {

        static final Adjustable NOTHING = new Adjustable(Map.of(), Map.of(), Map.of());
    }
}
