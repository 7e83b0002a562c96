package dev.paysaga.stack.demo;

import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.PaymentSystem;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * What can happen to an order, played against the running services. Each scenario has a merchant of its own, so that any
 * number of them can be played, again and again, on one stack.
 */
public final class Scenarios implements AutoCloseable {

    private static final String CURRENCY = "EUR";
    private static final String WALLET = "alice";
    private static final String SHOP = "shop";
    private static final String SKU = "tea";
    private static final long PRICE = 1_250;
    private static final long MONEY = 100_000;
    private static final long UNITS = 100;

    /** Where nothing is broken, an order is through in a fraction of a second; on a busy machine it may take longer. */
    private static final Duration UNDISTURBED = Duration.ofSeconds(60);

    /** A killed process needs some seconds to come back, and its neighbours some to notice. */
    private static final Duration DISTURBED = Duration.ofMinutes(3);

    /** Enough orders that some are in every stage when a process is killed. */
    private static final int BURST = 20;

    private final PaymentSystem system;
    private final Services services;
    private final Timeline timeline;
    private final PrintStream out;
    private final String run = Long.toString(System.currentTimeMillis(), 36);

    /** @param out where the stories are told */
    public Scenarios(PaymentSystem system, PrintStream out) {
        this.system = system;
        this.services = new Services(system);
        this.timeline = new Timeline(system, out);
        this.out = out;
    }

    /**
     * How a scenario ended.
     *
     * @param wrong what is not as it should be, in words; empty when all is well
     */
    public record Outcome(String name, List<String> wrong, Duration took) {

        /** It ended as it should. */
        public boolean passed() {
            return wrong.isEmpty();
        }
    }

    /** A story: does things, and says what is not as it should be. */
    private interface Story {
        void play(Merchant merchant, Checks checks) throws Exception;
    }

    private static final class Checks {
        private final List<String> wrong = new ArrayList<>();

        void equal(String what, Object expected, Object found) {
            if (!Objects.equals(expected, found)) {
                wrong.add(what + ": expected " + expected + ", found " + found);
            }
        }
    }

    /** All of them, one after the other. */
    public List<Outcome> all() {
        return List.of(
                paid(),
                outOfStock(),
                insufficientFunds(),
                fiveTimesAtOnce(),
                refund(),
                accountKilled(),
                orderDatabaseKilled(),
                kafkaKilled());
    }

    /** Stock is reserved, money held, both are committed. */
    public Outcome paid() {
        return play("An order is paid", (merchant, checks) -> {
            String orderId = placed(merchant, "A-1", 2, PRICE, checks);
            settled(merchant, orderId, "PAID", "", UNDISTURBED, checks);
            balances(merchant, MONEY - 2 * PRICE, UNITS - 2, checks);
        });
    }

    /** Nothing is held, nothing reserved. */
    public Outcome outOfStock() {
        return play("Not enough stock: the order is canceled, no money moves", (merchant, checks) -> {
            String orderId = placed(merchant, "A-1", UNITS + 1, 10, checks);
            settled(merchant, orderId, "CANCELED", "OUT_OF_STOCK", UNDISTURBED, checks);
            balances(merchant, MONEY, UNITS, checks);
        });
    }

    /** The reservation is released. */
    public Outcome insufficientFunds() {
        return play("Not enough money: the reserved stock is released", (merchant, checks) -> {
            String orderId = placed(merchant, "A-1", 3, MONEY, checks);
            settled(merchant, orderId, "CANCELED", "INSUFFICIENT_FUNDS", UNDISTURBED, checks);
            balances(merchant, MONEY, UNITS, checks);
        });
    }

    /** Five clients send one order at the same moment, each with a key of its own. */
    public Outcome fiveTimesAtOnce() {
        return play("The same order five times at once: one order", (merchant, checks) -> {
            String body = Merchant.order("A-1", WALLET, CURRENCY, SKU, 1, PRICE);
            Set<String> orderIds = new HashSet<>();
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                List<CompletableFuture<Answer>> answers = new ArrayList<>();
                for (int client = 0; client < 5; client++) {
                    answers.add(CompletableFuture.supplyAsync(() -> merchant.place(body), clients));
                }
                answers.forEach(answer -> {
                    checks.equal("status of the answer", 202, answer.join().status());
                    orderIds.add(answer.join().text("orderId"));
                });
            }
            tell("five answers, %d order", orderIds.size());
            checks.equal("orders", 1, orderIds.size());
            String orderId = orderIds.iterator().next();
            timeline.follow(orderId);
            settled(merchant, orderId, "PAID", "", UNDISTURBED, checks);
            balances(merchant, MONEY - PRICE, UNITS - 1, checks);
        });
    }

    /** Part of the money goes back, and one of the units. */
    public Outcome refund() {
        return play("A refund: money and one unit go back", (merchant, checks) -> {
            String orderId = placed(merchant, "A-1", 2, PRICE, checks);
            settled(merchant, orderId, "PAID", "", UNDISTURBED, checks);
            Answer refund = merchant.refund(orderId, "R-1", PRICE, Map.of(SKU, 1L));
            checks.equal("status of the refund's answer", 202, refund.status());
            Answer order = settled(merchant, orderId, "PARTIALLY_REFUNDED", "", UNDISTURBED, checks);
            checks.equal("refundedAmount", PRICE, order.number("refundedAmount"));
            timeline.sees(orderId, "StockRestocked", UNDISTURBED);
            balances(merchant, MONEY - PRICE, UNITS - 1, checks);
        });
    }

    /** It is paused before the order comes, killed once stock is reserved, and started again. */
    public Outcome accountKilled() {
        return play("account-service killed between StockReserved and PaymentAuthorized", (merchant, checks) -> {
            system.pause("account");
            String orderId;
            try {
                orderId = placed(merchant, "A-1", 1, PRICE, checks);
                checks.equal("StockReserved seen", true, timeline.sees(orderId, "StockReserved", UNDISTURBED));
            } finally {
                killAndStart("account");
            }
            settled(merchant, orderId, "PAID", "", DISTURBED, checks);
            balances(merchant, MONEY - PRICE, UNITS - 1, checks);
        });
    }

    /** Orders are accepted all the time; they go on once the broker is back. */
    public Outcome kafkaKilled() {
        return killedInMidFlow("kafka");
    }

    /** The client sends what was not answered again, with the same key. */
    public Outcome orderDatabaseKilled() {
        return killedInMidFlow("order-db");
    }

    /** A burst of orders, and one process killed and started again in the middle of it. */
    public Outcome killedInMidFlow(String process) {
        return play(process + " killed in mid-flow, " + BURST + " orders on their way", (merchant, checks) -> {
            var orderIds = ConcurrentHashMap.<String>newKeySet();
            var refused = new ConcurrentLinkedQueue<Answer>();
            var clients = new Semaphore(4);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int number = 1; number <= BURST; number++) {
                    String body = Merchant.order("A-" + number, WALLET, CURRENCY, SKU, 1, PRICE);
                    threads.submit(() -> {
                        clients.acquireUninterruptibly();
                        try {
                            Answer answer = merchant.place(body);
                            if (answer.status() != 202) {
                                refused.add(answer);
                            } else if (orderIds.add(answer.text("orderId")) && orderIds.size() == 1) {
                                timeline.follow(answer.text("orderId"));
                            }
                        } finally {
                            clients.release();
                        }
                    });
                }
                Await.holds(UNDISTURBED, () -> orderIds.size() >= BURST / 4);
                killAndStart(process);
            }
            checks.equal("refused orders", List.of(), List.copyOf(refused));
            checks.equal("accepted orders", BURST, orderIds.size());
            Await.holds(
                    DISTURBED,
                    () -> timeline.countAll(orderIds, seen -> seen.type().equals("OrderPaid")) >= BURST);
            for (String orderId : orderIds) {
                checks.equal(
                        "status of " + orderId,
                        "PAID",
                        merchant.await(orderId, Set.of("PAID"), DISTURBED).text("status"));
            }
            tell("all %d orders are settled", orderIds.size());
            balances(merchant, MONEY - BURST * PRICE, UNITS - BURST, checks);
        });
    }

    private void killAndStart(String process) {
        system.kill(process);
        tell("SIGKILL to %s", process);
        long begin = System.nanoTime();
        system.start(process);
        tell("%s is back after %.1f s", process, (System.nanoTime() - begin) / 1e9);
    }

    private Outcome play(String name, Story story) {
        out.printf("%n  %s%n", name);
        long begin = System.nanoTime();
        var checks = new Checks();
        try {
            Merchant merchant = merchant();
            timeline.begin();
            story.play(merchant, checks);
        } catch (Exception e) {
            checks.wrong.add(e.toString());
        }
        var outcome = new Outcome(name, List.copyOf(checks.wrong), Duration.ofNanos(System.nanoTime() - begin));
        out.printf(
                "    %s in %.1f s%n",
                outcome.passed() ? "✓ as it should be" : "✗ WRONG",
                outcome.took().toMillis() / 1e3);
        outcome.wrong().forEach(wrong -> out.println("      " + wrong));
        return outcome;
    }

    /** A merchant with a wallet to charge and a full shelf. */
    private Merchant merchant() {
        Merchant merchant = services.merchant(
                "demo-" + run + "-" + UUID.randomUUID().toString().substring(0, 4));
        merchant.openMerchantAccount(SHOP, CURRENCY);
        merchant.openWallet(WALLET, CURRENCY, MONEY);
        merchant.receive(SKU, "first", UNITS);
        return merchant;
    }

    private String placed(Merchant merchant, String outTradeNo, long quantity, long unitPrice, Checks checks) {
        Answer answer = merchant.place(Merchant.order(outTradeNo, WALLET, CURRENCY, SKU, quantity, unitPrice));
        checks.equal("status of the answer", 202, answer.status());
        String orderId = answer.text("orderId");
        if (orderId.isEmpty()) {
            throw new IllegalStateException("no order was placed: " + answer);
        }
        timeline.follow(orderId);
        return orderId;
    }

    private Answer settled(
            Merchant merchant, String orderId, String status, String reason, Duration atMost, Checks checks) {
        Answer order = merchant.await(orderId, Set.of(status), atMost);
        checks.equal("status of the order", status, order.text("status"));
        checks.equal("reason", reason, order.body().path("reason").isNull() ? "" : order.text("reason"));
        if (status.equals("PAID") || status.equals("CANCELED")) {
            // The announcement follows the fact; the story is only complete with it.
            timeline.sees(orderId, status.equals("PAID") ? "OrderPaid" : "OrderClosed", UNDISTURBED);
        }
        return order;
    }

    /** What is left in the wallet and on the shelf, with nothing held and nothing reserved. */
    private static void balances(Merchant merchant, long money, long units, Checks checks) {
        Answer wallet = merchant.account(WALLET);
        checks.equal("money in the wallet", money, wallet.number("posted"));
        checks.equal("money held", 0L, wallet.number("held"));
        Answer stock = merchant.stock(SKU);
        checks.equal("units on hand", units, stock.number("onHand"));
        checks.equal("units reserved", 0L, stock.number("reserved"));
    }

    private void tell(String format, Object... arguments) {
        out.println("    · " + format.formatted(arguments));
    }

    @Override
    public void close() {
        timeline.close();
    }
}
