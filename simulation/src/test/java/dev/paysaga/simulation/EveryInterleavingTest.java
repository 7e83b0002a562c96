package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import org.junit.jupiter.api.Test;

class EveryInterleavingTest {

    private static final PaymentWorld ONE = PaymentWorld.ofOneOrder();

    @Test
    void one_order_with_everything_that_can_happen_to_it() {
        explore(ONE.canceled().refunds(2).restocked().blocked());
    }

    @Test
    void one_order_whose_events_come_again_after_the_inbox_forgot_them() {
        explore(ONE.canceled().refunds(1).restocked().redelivered(2));
    }

    @Test
    void two_orders_for_one_shelf_and_one_wallet() {
        explore(ONE.orders(2).canceled().refunds(1));
    }

    private static void explore(PaymentWorld world) {
        Exploration found = Explorer.exhaust(world.choreography(), 30_000_000);
        assertThat(found.violation())
                .as(() -> found.violation() == null ? "" : found.violation().story())
                .isNull();
        assertThat(found.exhausted()).isTrue();
    }
}
