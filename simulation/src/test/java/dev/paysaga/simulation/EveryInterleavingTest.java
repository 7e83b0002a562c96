package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.explorer.Choreography;
import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The four services' own decisions in every order in which Kafka, clients, clocks and people can call for them. */
class EveryInterleavingTest {

    private static final int MOST = 100_000_000;

    private static final PaymentWorld ONE = PaymentWorld.ofOneOrder();

    /** Everything at once, four orders, stock for two and money for three. Too large to exhaust. */
    private static final PaymentWorld LARGE = ONE.orders(4)
            .units(2)
            .wallet(3 * Cast.PRICE)
            .canceled()
            .refunds(2)
            .restocked()
            .blocked()
            .merchantBlocked()
            .askedAgain()
            .redelivered(3)
            .parked(2)
            .overlapped(2);

    private static final Logger log = LoggerFactory.getLogger(EveryInterleavingTest.class);

    @Test
    void one_order_with_cancels_refunds_and_a_blocked_payer_can_always_settle() {
        settles(ONE.canceled().refunds(2).restocked().blocked());
    }

    @Test
    void one_order_whose_events_come_again_after_the_inbox_forgot_them() {
        settles(ONE.canceled().refunds(2).restocked().redelivered(2));
    }

    @Test
    void one_order_with_an_event_parked_and_redriven_or_skipped_can_always_settle() {
        settles(ONE.canceled().refunds(1).restocked().blocked().parked(1));
    }

    @Test
    void one_order_whose_merchant_is_blocked_before_the_capture() {
        settles(ONE.canceled().refunds(1).merchantBlocked().redelivered(1));
    }

    @Test
    void one_order_while_a_person_posts_differences_to_suspense_and_decides_about_them() {
        settles(ONE.refunds(1).adjusted());
    }

    @Test
    void one_order_with_inboxes_and_the_event_ids_of_production() {
        settles(ONE.canceled().refunds(1).withInboxes().redelivered(1));
    }

    @Test
    void one_order_that_is_asked_for_again_and_again() {
        settles(ONE.canceled().refunds(1).askedAgain());
    }

    @Test
    void one_order_whose_topics_are_read_again_from_an_earlier_offset() {
        settles(ONE.canceled().refunds(1).withInboxes().rewound(2));
    }

    @Test
    void one_order_whose_topics_are_read_again_after_the_inboxes_were_purged() {
        settles(ONE.canceled().refunds(1).restocked().rewound(1));
        settles(ONE.wallet(0).canceled().rewound(1));
    }

    @Test
    void one_order_whose_events_two_replicas_handle_at_once() {
        settles(ONE.canceled().refunds(1).restocked().overlapped(2));
        settles(ONE.canceled().refunds(1).withInboxes().overlapped(2));
    }

    @Test
    void two_orders_for_one_unit_and_one_wallet_with_a_refund_and_two_duplicates() {
        explores(ONE.orders(2).canceled().refunds(1).redelivered(2));
    }

    @Test
    void two_orders_for_one_unit_and_one_wallet_with_a_blocked_payer() {
        explores(ONE.orders(2).canceled().refunds(1).blocked());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void random_walks_through_a_large_world_break_nothing(long seed) {
        Exploration found = Explorer.walk(LARGE.choreography(), seed, 2_000);
        log.info("{} walks: {}", found.states(), found.summary());
        holds(found);
    }

    // ---- the nightly profile goes further: mvn verify -Pnightly, with 10 GB of memory ----

    @Test
    @Tag("nightly")
    void two_orders_with_two_refunds_and_a_blocked_payer() {
        explores(ONE.orders(2).canceled().refunds(2).blocked());
    }

    @Test
    @Tag("nightly")
    void two_orders_with_two_refunds_and_two_duplicates() {
        explores(ONE.orders(2).canceled().refunds(2).redelivered(2));
    }

    @Test
    @Tag("nightly")
    void two_orders_with_a_blocked_payer_and_a_duplicate() {
        explores(ONE.orders(2).canceled().refunds(1).blocked().redelivered(1));
    }

    @Test
    @Tag("nightly")
    void two_orders_with_three_duplicates() {
        explores(ONE.orders(2).canceled().refunds(1).redelivered(3));
    }

    @Test
    @Tag("nightly")
    void three_orders_for_one_unit_and_one_wallet() {
        explores(ONE.orders(3).canceled());
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    @Tag("nightly")
    void many_random_walks_through_a_large_world_break_nothing(long seed) {
        holds(Explorer.walk(LARGE.choreography(), seed, 20_000));
    }

    private static void explores(PaymentWorld world) {
        seen(world, Explorer.exhaust(world.choreography(), MOST));
    }

    private static void settles(PaymentWorld world) {
        Choreography choreography = world.choreography();
        seen(world, Explorer.exhaustWithLiveness(choreography, MOST));
    }

    private static void seen(PaymentWorld world, Exploration found) {
        log.info("{}: {}", world, found.summary());
        holds(found);
        assertThat(found.exhausted()).isTrue();
    }

    private static void holds(Exploration found) {
        assertThat(found.violation())
                .as(() -> found.violation() == null
                        ? ""
                        : found.violation().story() + found.violation().asTest("world.choreography()"))
                .isNull();
    }
}
