package dev.paysaga.simulation;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.RestockLine;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.EventIds;
import java.util.List;
import java.util.UUID;

/**
 * The names in the simulated world. All sagas are about the same order number: no decision looks at it, and worlds that
 * differ only in which order is which count once.
 */
final class Cast {

    static final UUID ORDER = EventIds.named(1_764_547_200_000L, "simulated order");
    static final String MERCHANT = "shop";
    static final String PAYER = "alice";
    static final String TAKINGS = "takings";
    static final String EUR = "EUR";
    static final String TEA = "tea";

    /** Two cents: the least amount of which a part can be refunded. */
    static final long PRICE = 2;

    static final Terms ONE_TEA =
            new Terms(MERCHANT, "1", PAYER, EUR, PRICE, List.of(new OrderLine(TEA, 1L, PRICE)), null);

    static final List<RestockLine> TEA_BACK = List.of(new RestockLine(TEA, 1L));

    private Cast() {}
}
