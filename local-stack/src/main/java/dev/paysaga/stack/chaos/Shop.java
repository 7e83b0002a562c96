package dev.paysaga.stack.chaos;

import dev.paysaga.stack.chaos.Promise.Terms;
import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One merchant: its wallets and products, and what can be done with its orders. Whatever is answered is remembered. */
final class Shop {

    static final String CURRENCY = "EUR";

    /** Enough that most orders find theirs unlocked, and few enough that some do not. */
    private static final int WALLETS = 12;

    private static final int PRODUCTS = 6;

    /** More than all orders of a day will ask for. */
    private static final long PLENTY = 1_000_000_000L;

    private static final String SCARCE = "scarce";
    private static final String POOR = "poor";
    private static final String BLOCKED = "blocked";

    /** Answers to {@code Prefer: wait} that mean: there is an order, and it is canceled. */
    private static final Set<String> CANCELED = Set.of("payment-declined", "out-of-stock", "order-canceled");

    private static final Duration SETTLING = Duration.ofMinutes(3);

    /** A service that answers is asked four times a second, one that is busy with us need not be asked more often. */
    private static final long POLL = TimeUnit.MILLISECONDS.toNanos(250);

    private final Services services;
    private final Promises promises;
    private final Merchant merchant;

    Shop(Services services, Promises promises, String merchantId) {
        this.services = services;
        this.promises = promises;
        this.merchant = services.merchant(merchantId);
    }

    /** Opens accounts and fills shelves. */
    void open() {
        merchant.openMerchantAccount("shop", CURRENCY);
        for (int number = 0; number < WALLETS; number++) {
            openWallet("payer-" + number, PLENTY);
        }
        openWallet(POOR, 1);
        openWallet(BLOCKED, PLENTY);
        block(BLOCKED);
        for (int number = 0; number < PRODUCTS; number++) {
            receive("sku-" + number, "first-" + number, PLENTY);
        }
        receive(SCARCE, "first-" + SCARCE, 1);
    }

    private void openWallet(String account, long money) {
        merchant.openWallet(account, CURRENCY, 0);
        deposit(account, "first-" + account, money);
    }

    void deposit(String account, String depositNo, long amount) {
        Answer answer = services.post(
                "account",
                "/v1/accounts/" + account + "/deposits",
                Services.json(Map.of("depositNo", depositNo, "amount", amount)),
                merchant.token());
        if (expected(answer, 201)) {
            promises.add(new Promise.Deposit(Instant.now(), merchant.id(), account, depositNo, amount));
        }
    }

    void receive(String sku, String receiptNo, long quantity) {
        merchant.receive(sku, receiptNo, quantity);
        promises.add(new Promise.Receipt(Instant.now(), merchant.id(), sku, receiptNo, quantity));
    }

    private void block(String account) {
        Answer answer = services.post(
                "account",
                "/v1/accounts/" + account + "/block",
                Services.json(Map.of("merchantId", merchant.id())),
                services.token(null, List.of("ops")));
        status(answer, account, "BLOCKED");
    }

    /** False when something is held on it just now. */
    boolean close(String account) {
        Answer answer = services.post("account", "/v1/accounts/" + account + "/close", "{}", merchant.token());
        if (answer.status() == 409) {
            return false;
        }
        status(answer, account, "CLOSED");
        return answer.ok();
    }

    private void status(Answer answer, String account, String status) {
        if (expected(answer, 200)) {
            promises.add(new Promise.Status(Instant.now(), merchant.id(), account, status));
        }
    }

    /** An order that nothing speaks against. */
    Terms anOrder(String outTradeNo, Random random) {
        return order(
                outTradeNo,
                "payer-" + random.nextInt(WALLETS),
                "sku-" + random.nextInt(PRODUCTS),
                1 + random.nextInt(3),
                100 + random.nextInt(2_000));
    }

    Terms moreThanThereIs(String outTradeNo, Random random) {
        return order(outTradeNo, "payer-" + random.nextInt(WALLETS), SCARCE, 2, 100);
    }

    Terms byThePoor(String outTradeNo, Random random) {
        return order(outTradeNo, POOR, "sku-" + random.nextInt(PRODUCTS), 1, 1_000);
    }

    Terms byTheBlocked(String outTradeNo, Random random) {
        return order(outTradeNo, BLOCKED, "sku-" + random.nextInt(PRODUCTS), 1, 1_000);
    }

    /** An order from a wallet of its own. */
    Terms byOneWhoWillLeave(String outTradeNo, Random random) {
        String payer = "leaving-" + outTradeNo;
        openWallet(payer, 10_000);
        return order(outTradeNo, payer, "sku-" + random.nextInt(PRODUCTS), 1, 100 + random.nextInt(2_000));
    }

    private Terms order(String outTradeNo, String payer, String sku, long quantity, long unitPrice) {
        return new Terms(
                merchant.id(), outTradeNo, payer, CURRENCY, sku, quantity, Math.multiplyExact(quantity, unitPrice));
    }

    /**
     * Places an order; asked again until there is an answer.
     *
     * @return its id
     * @throws IllegalStateException when there was no answer, or none that fits
     */
    String place(Terms terms, String key) {
        return place(terms, key, Map.of());
    }

    /** As {@link #place}, with {@code Prefer: wait}. */
    String placeAndWait(Terms terms, String key, int seconds) {
        return place(terms, key, Map.of("Prefer", "wait=" + seconds));
    }

    private String place(Terms terms, String key, Map<String, String> headers) {
        Answer answer;
        try {
            answer = services.post("order", "/v1/orders", body(terms), merchant.token(), key, headers);
        } catch (IllegalStateException silence) {
            promises.unanswered(terms.key());
            throw silence;
        }
        String orderId = answer.text("orderId");
        boolean canceled = CANCELED.contains(answer.problem());
        if (orderId.isEmpty() || !answer.ok() && !canceled) {
            promises.surprised(answer);
            throw new IllegalStateException("no order: " + answer);
        }
        promises.add(new Promise.Accepted(Instant.now(), orderId, terms));
        if (canceled) {
            promises.add(new Promise.Told(Instant.now(), orderId, "CANCELED", answer.text("reason")));
        } else if (answer.text("status").equals("PAID")) {
            promises.add(new Promise.Told(Instant.now(), orderId, "PAID", ""));
        }
        return orderId;
    }

    /** The same business key with other content. */
    void placeOtherwise(Terms terms) {
        var other = order(terms.outTradeNo(), terms.payer(), terms.sku(), terms.quantity(), 2 * terms.amount() + 1);
        Answer answer = services.post("order", "/v1/orders", body(other), merchant.token());
        if (expected(answer, 409)) {
            promises.add(new Promise.Conflict(Instant.now(), other));
        }
    }

    private static String body(Terms terms) {
        return Merchant.order(
                terms.outTradeNo(),
                terms.payer(),
                terms.currency(),
                terms.sku(),
                terms.quantity(),
                terms.amount() / terms.quantity());
    }

    void cancel(String orderId) {
        Answer answer = services.post("order", "/v1/orders/" + orderId + "/cancel", "{}", merchant.token());
        if (answer.status() == 202 || answer.status() == 409 && answer.problem().equals("order-not-cancelable")) {
            promises.add(new Promise.Cancel(Instant.now(), orderId, answer.ok()));
        } else {
            promises.surprised(answer);
        }
    }

    void refund(String orderId, String refundNo, long amount, String sku, long restock) {
        Answer answer = merchant.refund(orderId, refundNo, amount, restock == 0 ? Map.of() : Map.of(sku, restock));
        if (answer.status() == 202 || answer.status() == 409 || answer.status() == 422) {
            promises.add(new Promise.Refund(Instant.now(), orderId, refundNo, amount, restock, answer.problem()));
        } else {
            promises.surprised(answer);
        }
    }

    /** Waits until the order is decided; what the client then knows is a promise too. */
    boolean paid(String orderId) {
        long deadline = System.nanoTime() + SETTLING.toNanos();
        while (System.nanoTime() < deadline) {
            Answer order = merchant.order(orderId);
            String status = order.text("status");
            if (Set.of("PAID", "CANCELED").contains(status)) {
                promises.add(new Promise.Told(Instant.now(), orderId, status, order.text("reason")));
                return status.equals("PAID");
            }
            LockSupport.parkNanos(POLL);
        }
        return false;
    }

    private boolean expected(Answer answer, int status) {
        if (answer.status() != status) {
            promises.surprised(answer);
        }
        return answer.status() == status;
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }
}
