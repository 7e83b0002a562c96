package dev.paysaga.account.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.account.domain.Account.Kind;
import dev.paysaga.account.domain.Account.Status;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.ImpossibleTransition;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is asked in whatever order: every balance equals the sum of its transfers, and nothing is made or lost. */
class LedgerTest {

    private static final int STEPS = 8_000;

    /** A window over the orders moves on, or all of them would soon be settled. */
    private static final int STEPS_AN_ORDER = 20;

    private static final int AT_ONCE = 6;

    private static final String[] WALLETS = {"m/ann", "m/bob", "m/eve"};
    private static final String[] ACTIONS = {"RETRY", "PAY_OUT", "RETURN", "RESEND"};

    private final List<Transfer> ledger = new ArrayList<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<UUID, Payment> payments = new HashMap<>();
    private final Map<UUID, WorkItem> workItems = new HashMap<>();
    private int deposits;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyBalanceIsTheSumOfItsTransfers(long seed) {
        var random = new Random(seed);
        for (String wallet : WALLETS) {
            accounts.put(wallet, Account.open("m", wallet.substring(2), Kind.WALLET, "JPY"));
        }
        accounts.put("m/t", Account.open("m", "t", Kind.MERCHANT, "JPY"));
        for (int step = 0; step < STEPS; step++) {
            step(step, random);
            check();
        }
        assertThat(ledger.stream().map(Transfer::kind).distinct())
                .as("every kind of transfer was seen")
                .containsExactlyInAnyOrder(Transfer.Kind.values());
        settle();
        assertThat(Ledger.balances(ledger).get(Account.suspense("JPY")).posted())
                .as("resolving every work order empties suspense")
                .isZero();
    }

    private void step(int step, Random random) {
        UUID order = order(step / STEPS_AN_ORDER + random.nextInt(AT_ONCE));
        Payment payment = payments.getOrDefault(order, Payment.unseen(order));
        // Fewer attempts than in earnest, or suspense would be rare here.
        var attempts = new AttemptPolicy(Instant.EPOCH, AttemptPolicy.THREE_ATTEMPTS.subList(0, random.nextInt(3)));
        String refundNo = "r" + random.nextInt(3);
        switch (random.nextInt(14)) {
            case 0 -> deposit(WALLETS[random.nextInt(WALLETS.length)], 1 + random.nextInt(500));
            case 1 -> {
                String key = random.nextInt(3) == 0 ? "m/t" : WALLETS[random.nextInt(WALLETS.length)];
                accounts.computeIfPresent(key, (k, account) -> account.with(randomStatus(account, random)));
            }
            case 2, 3 -> decide(() -> Reactions.on(reserved(order), payment, parties(order)));
            case 4, 5 -> decide(() -> Reactions.on(new OrderConfirmed(order, "m"), payment, parties(order)));
            case 6 -> decide(() -> Reactions.on(new OrderCanceled(order, "m", "x"), payment, parties(order)));
            case 7, 8, 9 ->
                decide(() -> Reactions.on(
                        new RefundRequested(
                                order,
                                "m",
                                refundNo,
                                "JPY",
                                amountOf(order) / 2 + refundNo.charAt(1) - '0',
                                null,
                                List.of()),
                        payment,
                        parties(order),
                        attempts));
            case 12 -> post(new UUID(step / 40, random.nextInt(3)), random);
            case 10, 11 -> decide(() -> Reactions.retryRefund(refundNo, payment, parties(order), attempts));
            default -> {
                boolean again = random.nextInt(4) == 0;
                var items = workItems.values().stream()
                        .filter(item -> again || item.isOpen())
                        .toList();
                if (!items.isEmpty()) {
                    resolve(items.get(random.nextInt(items.size())), ACTIONS[random.nextInt(ACTIONS.length)]);
                }
            }
        }
    }

    private void deposit(String key, long amount) {
        Account account = Objects.requireNonNull(accounts.get(key));
        if (account.refusalToTake(amount) == null) {
            ledger.add(Transfer.deposit(account, "d" + deposits++, amount));
            accounts.put(key, account.credit(amount));
        }
    }

    private static Status randomStatus(Account account, Random random) {
        if (random.nextBoolean()) {
            return Status.OPEN; // also for closed ones, to see more of what else can happen
        }
        return account.held() > 0 || random.nextBoolean() ? Status.BLOCKED : Status.CLOSED;
    }

    /** Some work orders are posted again, and some of these about another account or amount. */
    private void post(UUID workOrder, Random random) {
        String key = random.nextInt(3) == 0 ? "m/t" : WALLETS[random.nextInt(WALLETS.length)];
        long amount = random.nextInt(60) - 30;
        var command = new PostToSuspense(workOrder, order(0), "m", key, null, "JPY", amount, "ops", null);
        adjust(() -> Adjustments.on(
                command,
                new Adjustments.Known(
                        workItems.get(workOrder),
                        workItems.get(Adjustments.suspendedBy(workOrder)),
                        workItems.get(Adjustments.refusedBy(workOrder))),
                purse(key)));
    }

    private Purse purse(String key) {
        Account account = Objects.requireNonNull(accounts.get(key));
        return account.kind() == Kind.WALLET
                ? Purse.of(account)
                : Purse.of(
                        account,
                        Ledger.balances(ledger)
                                .getOrDefault(key, Ledger.Balance.ZERO)
                                .posted());
    }

    private Purse origin(WorkItem item) {
        return ledger.stream()
                .filter(transfer ->
                        transfer.kind() == Transfer.Kind.ADJUSTMENT && item.id().equals(transfer.workOrderId()))
                .map(transfer -> purse(
                        transfer.amount() == item.suspended() ? transfer.debitAccount() : transfer.creditAccount()))
                .findFirst()
                .orElse(null);
    }

    private void adjust(Supplier<Adjusted> reaction) {
        Adjusted adjusted;
        try {
            adjusted = reaction.get();
        } catch (ImpossibleTransition parked) {
            return; // nothing was changed
        }
        Purse purse = adjusted.purse();
        if (purse != null && purse.account().kind() == Kind.WALLET) {
            accounts.put(purse.account().key(), purse.account());
        }
        ledger.addAll(adjusted.transfers());
        adjusted.workItems().forEach(item -> workItems.put(item.id(), item));
    }

    private void resolve(WorkItem item, String action) {
        UUID order = item.orderId();
        var command = new ResolveWorkOrder(item.id(), order, "m", action, null, null, "ops", null, null);
        if (item.kind().isDifference()) {
            adjust(() -> Adjustments.resolve(command, item, origin(item), null));
            return;
        }
        decide(() -> Reactions.resolve(command, item, Objects.requireNonNull(payments.get(order)), parties(order)));
    }

    private void decide(Supplier<Decision> reaction) {
        Decision decision;
        try {
            decision = reaction.get();
        } catch (ImpossibleTransition parked) {
            return; // nothing was changed
        }
        payments.put(decision.payment().orderId(), decision.payment());
        Account payer = decision.parties().payer();
        if (payer != null) {
            accounts.put(payer.key(), payer);
        }
        ledger.addAll(decision.transfers());
        decision.workItems().forEach(item -> workItems.put(item.id(), item));
    }

    private void settle() {
        accounts.replaceAll((key, account) -> account.with(Status.OPEN));
        List.copyOf(workItems.values()).stream()
                .filter(WorkItem::isOpen)
                .forEach(item -> resolve(item, item.kind().isDifference() ? "PAY_OUT" : "RETRY"));
        check();
    }

    private void check() {
        var balances = Ledger.balances(ledger); // also: ids are unique, a hold is ended once
        accounts.values().stream()
                .filter(account -> account.kind() == Kind.WALLET)
                .forEach(wallet -> {
                    var balance = balances.getOrDefault(wallet.key(), Ledger.Balance.ZERO);
                    assertThat(balance.posted()).as(wallet.key()).isEqualTo(BigInteger.valueOf(wallet.posted()));
                    assertThat(balance.held()).as(wallet.key()).isEqualTo(BigInteger.valueOf(wallet.held()));
                });
        assertThat(balances.values().stream().map(Ledger.Balance::posted).reduce(BigInteger.ZERO, BigInteger::add))
                .as("the books balance")
                .isZero();
        assertThat(balances.getOrDefault(Account.suspense("JPY"), Ledger.Balance.ZERO)
                        .posted())
                .as("suspense is what open work orders are about")
                .isEqualTo(BigInteger.valueOf(workItems.values().stream()
                        .filter(WorkItem::isOpen)
                        .mapToLong(WorkItem::suspended)
                        .sum()));
        payments.values()
                .forEach(payment -> assertThat(payment.refundedAmount())
                        .isLessThanOrEqualTo(
                                payment.terms() == null ? 0 : payment.terms().amount()));
    }

    private Parties parties(UUID order) {
        int n = (int) order.getLeastSignificantBits() & 0xFFF;
        return new Parties(accounts.get(WALLETS[n % WALLETS.length]), accounts.get("m/t"));
    }

    private static StockReserved reserved(UUID order) {
        int n = (int) order.getLeastSignificantBits() & 0xFFF;
        return new StockReserved(
                order,
                "m",
                WALLETS[n % WALLETS.length].substring(2),
                "JPY",
                amountOf(order),
                List.of(new OrderLine("tea", 1L, amountOf(order))));
    }

    private static long amountOf(UUID order) {
        return 10 + (order.getLeastSignificantBits() & 0x3F);
    }

    private static UUID order(int n) {
        return new UUID(EventIds.named(1, "orders").getMostSignificantBits(), 0x8000_0000_0000_0000L | n);
    }
}
