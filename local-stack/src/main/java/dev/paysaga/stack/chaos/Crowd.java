package dev.paysaga.stack.chaos;

import dev.paysaga.stack.chaos.Promise.Terms;
import dev.paysaga.stack.client.Services;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/**
 * Clients who come at a fixed rate, whether or not those before them have been served, each with an errand of its own. They
 * behave as clients should: they ask again, with the same key, until they are answered.
 */
final class Crowd {

    private static final int SHOPS = 5;

    /** Most orders are decided within this time when nothing is broken: half of the cancels come in the middle of it. */
    private static final int QUICK_MILLIS = 150;

    private static final int SLOW_MILLIS = 3_000;

    private static final int WAIT_SECONDS = 5;

    /** What the clients come for, one after the other. */
    interface Mix {
        Errand errand(long ticket, Random random);
    }

    private final long seed;
    private final Mix mix;
    private final Requests requests;
    private final List<Shop> shops = new ArrayList<>();
    private final AtomicLong errands = new AtomicLong();
    private final AtomicLong served = new AtomicLong();
    private final AtomicLong unserved = new AtomicLong();

    Crowd(long seed, Mix mix, String name, Services services, Requests requests, Promises promises) {
        this.seed = seed;
        this.mix = mix;
        this.requests = requests;
        for (int number = 1; number <= SHOPS; number++) {
            shops.add(new Shop(services, promises, name + "-" + number));
        }
    }

    void prepare() {
        shops.forEach(Shop::open);
    }

    /** Clients who came. */
    long errands() {
        return errands.get();
    }

    /** Clients who had their answers. */
    long served() {
        return served.get();
    }

    /** Clients who went away without an answer. */
    long unserved() {
        return unserved.get();
    }

    /** Lets them come for so long, and returns when the last has gone. */
    void come(int perSecond, Duration duration) {
        long count = perSecond * duration.toSeconds();
        come(perSecond, number -> number < count);
    }

    /**
     * Lets them come, and returns when the last has gone.
     *
     * @param more whether one more comes, by how many have come
     */
    void come(int perSecond, LongPredicate more) {
        long gap = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long number = 0; more.test(number); number++) {
                long due = start + number * gap;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                long ticket = number;
                threads.submit(() -> serve(ticket));
            }
        }
    }

    private void serve(long ticket) {
        errands.incrementAndGet();
        // Mixed so that neighbouring seeds and tickets have nothing in common.
        var random = new Random(seed * 0x9E3779B97F4A7C15L + ticket);
        Shop shop = shops.get(random.nextInt(shops.size()));
        try {
            go(mix.errand(ticket, random), shop, "o-" + ticket, random);
            served.incrementAndGet();
        } catch (IllegalStateException noAnswer) {
            unserved.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void go(Errand errand, Shop shop, String number, Random random) throws InterruptedException {
        switch (errand) {
            case BUY -> shop.place(shop.anOrder(number, random), Shop.newKey());
            case BUY_AND_WAIT -> shop.placeAndWait(shop.anOrder(number, random), Shop.newKey(), WAIT_SECONDS);
            case OUT_OF_STOCK -> shop.placeAndWait(shop.moreThanThereIs(number, random), Shop.newKey(), WAIT_SECONDS);
            case INSUFFICIENT_FUNDS -> shop.placeAndWait(shop.byThePoor(number, random), Shop.newKey(), WAIT_SECONDS);
            case BLOCKED_PAYER -> shop.place(shop.byTheBlocked(number, random), Shop.newKey());
            case CANCEL -> cancel(shop, shop.anOrder(number, random), random);
            case REFUND_WHOLE -> refundWhole(shop, shop.anOrder(number, random), random);
            case REFUND_PARTS -> refundParts(shop, shop.anOrder(number, random));
            case REFUND_TO_CLOSED_ACCOUNT -> refundTooLate(shop, shop.byOneWhoWillLeave(number, random));
            case SAME_KEY -> {
                Terms terms = shop.anOrder(number, random);
                String key = Shop.newKey();
                atOnce(3, () -> shop.place(terms, key));
            }
            case OTHER_KEY -> {
                Terms terms = shop.anOrder(number, random);
                atOnce(2, () -> shop.place(terms, Shop.newKey()));
            }
            case OTHER_CONTENT -> {
                Terms terms = shop.anOrder(number, random);
                shop.place(terms, Shop.newKey());
                shop.placeOtherwise(terms);
            }
            case BY_KAFKA -> {
                Terms terms = shop.anOrder(number, random);
                requests.publish(terms);
                requests.publish(terms);
            }
            case DELIVER -> {
                Terms about = shop.anOrder(number, random);
                shop.deposit(about.payer(), "d-" + number, about.amount());
                shop.deposit(about.payer(), "d-" + number, about.amount());
                shop.receive(about.sku(), "r-" + number, about.quantity());
            }
        }
    }

    private static void cancel(Shop shop, Terms terms, Random random) {
        String orderId = shop.place(terms, Shop.newKey());
        int millis = random.nextInt(random.nextBoolean() ? QUICK_MILLIS : SLOW_MILLIS);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        shop.cancel(orderId);
    }

    private static void refundWhole(Shop shop, Terms terms, Random random) {
        String orderId = shop.place(terms, Shop.newKey());
        if (shop.paid(orderId)) {
            shop.refund(orderId, "all", terms.amount(), terms.sku(), random.nextBoolean() ? terms.quantity() : 0);
        }
    }

    private static void refundParts(Shop shop, Terms terms) {
        String orderId = shop.place(terms, Shop.newKey());
        if (shop.paid(orderId)) {
            long part = terms.amount() / 3;
            try (ExecutorService clerks = Executors.newVirtualThreadPerTaskExecutor()) {
                clerks.submit(() -> shop.refund(orderId, "part-1", part, terms.sku(), 1));
                clerks.submit(() -> shop.refund(orderId, "part-2", part, terms.sku(), 0));
            }
            shop.refund(orderId, "too-much", terms.amount(), terms.sku(), 0);
        }
    }

    private static void refundTooLate(Shop shop, Terms terms) {
        String orderId = shop.place(terms, Shop.newKey());
        if (shop.paid(orderId) && shop.close(terms.payer())) {
            shop.refund(orderId, "late", terms.amount(), terms.sku(), 1);
        }
    }

    private static void atOnce(int times, Runnable action) {
        try (ExecutorService twins = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int time = 0; time < times; time++) {
                twins.submit(action);
            }
        }
    }
}
