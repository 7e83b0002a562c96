package dev.paysaga.simulation;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import java.util.List;
import java.util.Set;

/** Other systems that publish their wishes to {@code order.requests}, in the simulated world. They hear nothing. */
final class ClientRole implements Participant {

    static final String NAME = "client";

    /** What they may ask for, all under the same order number. */
    enum Wish {
        THE_ORDER("requests the order", 2),
        ANOTHER("requests another order under its number", 1),
        NONSENSE("requests what makes no sense", 1);

        private final String words;
        private final int times;

        Wish(String words, int times) {
            this.words = words;
            this.times = times;
        }

        String words() {
            return words;
        }

        int times() {
            return times;
        }

        OrderRequested request() {
            return new OrderRequested(
                    Cast.MERCHANT,
                    Cast.ONE_TEA.outTradeNo(),
                    Cast.PAYER,
                    Cast.EUR,
                    null,
                    List.of(new OrderLine(Cast.TEA, this == NONSENSE ? 0L : 1L, Cast.PRICE)),
                    this == ANOTHER ? "https://elsewhere.example/hook" : null);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> hears() {
        return Set.of();
    }

    @Override
    public Object start(int saga) {
        return "";
    }

    @Override
    public Object shared() {
        return "";
    }

    @Override
    public Step react(Object event, Object local, Object shared) {
        throw new IllegalArgumentException(NAME + " hears nothing, and heard " + event);
    }

    @Override
    public String label(Object local) {
        return "CLIENT";
    }
}
