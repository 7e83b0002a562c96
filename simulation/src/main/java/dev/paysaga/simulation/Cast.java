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

    /** A person's work order: the payer's account has a cent too much. */
    static final UUID PAYER_HAS_TOO_MUCH = EventIds.named(1_764_547_200_000L, "the payer has too much");

    /** A person's work order: the merchant's account has a cent too much. */
    static final UUID MERCHANT_HAS_TOO_MUCH = EventIds.named(1_764_547_200_000L, "the merchant has too much");

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
