package dev.paysaga.stack.chaos;

import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How long after a fault the system does its work again: an order is placed when the fault is over, and what counts is the
 * time until it is PAID. Every service, every database and the broker take part in that. Other faults may come meanwhile;
 * then their time is in it too.
 */
final class Recovery {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Merchant merchant;
    private final AtomicInteger probes = new AtomicInteger();

    Recovery(Services services, String merchantId) {
        this.merchant = services.merchant(merchantId);
    }

    void prepare() {
        merchant.openMerchantAccount("shop", Shop.CURRENCY);
        merchant.openWallet("probe", Shop.CURRENCY, 1_000_000_000L);
        merchant.receive("probe", "first", 1_000_000_000L);
    }

    /** Places an order and waits for it, and another one when it ran into its deadline; the longest time when all was in vain. */
    Duration measure() {
        long begin = System.nanoTime();
        while (true) {
            Duration taken = Duration.ofNanos(System.nanoTime() - begin);
            if (taken.compareTo(PATIENCE) > 0) {
                return PATIENCE;
            }
            String body = Merchant.order("p-" + probes.incrementAndGet(), "probe", Shop.CURRENCY, "probe", 1, 100);
            try {
                String orderId = merchant.place(body).text("orderId");
                Answer order = merchant.await(orderId, Set.of("PAID", "CANCELED"), PATIENCE.minus(taken));
                if (order.text("status").equals("PAID")) {
                    return Duration.ofNanos(System.nanoTime() - begin);
                }
            } catch (IllegalStateException noAnswer) {
                // asked again until the patience is at its end
            }
        }
    }
}
