package dev.paysaga.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.RestockLine;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.saga.EventIds;
import dev.paysaga.simulation.history.History.Published;
import dev.paysaga.simulation.history.History.Transition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A history of the running services is believed only as far as their reactions allow it. */
class HistoryReplayTest {

    static List<History> histories() {
        return List.of(
                new Run().settled().history(),
                new Run()
                        .settled()
                        .refunded(new RefundTerms("r-1", 40, "broken", List.of(new RestockLine("tea", 1L))))
                        .settled()
                        .refunded(new RefundTerms("r-2", 60, null, List.of()))
                        .settled()
                        .history(),
                new Run().canceled().settled().history());
    }

    @ParameterizedTest
    @MethodSource("histories")
    void what_the_reactions_lead_to_is_allowed(History history) {
        assertThat(history.transitions()).hasSizeGreaterThan(4);
        assertThat(HistoryReplay.deviations(history)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("histories")
    void an_event_that_is_gone_is_missed(History history) {
        for (Published gone : history.published()) {
            var left = new ArrayList<>(history.published());
            left.remove(gone);
            assertThat(HistoryReplay.deviations(new History(left, history.transitions(), Map.of())))
                    .as("without " + gone)
                    .isNotEmpty()
                    .allSatisfy(deviation -> assertThat(deviation.orderId()).isEqualTo(Run.ORDER))
                    .anySatisfy(deviation ->
                            assertThat(deviation.toString()).contains(gone.id().toString()));
        }
    }

    @ParameterizedTest
    @MethodSource("histories")
    void a_change_that_is_gone_is_missed(History history) {
        for (Transition gone : history.transitions()) {
            var left = new ArrayList<>(history.transitions());
            left.remove(gone);
            assertThat(HistoryReplay.deviations(new History(history.published(), left, Map.of())))
                    .as("without " + gone)
                    .anySatisfy(deviation -> assertThat(deviation.service()).isEqualTo(gone.service()));
        }
    }

    @ParameterizedTest
    @MethodSource("histories")
    void a_change_to_another_state_is_told(History history) {
        for (Transition real : history.transitions()) {
            var altered = new ArrayList<>(history.transitions());
            Collections.replaceAll(
                    altered,
                    real,
                    new Transition(
                            real.service(),
                            real.orderId(),
                            real.eventId(),
                            real.from(),
                            real.to() + 1,
                            real.version()));
            assertThat(HistoryReplay.deviations(new History(history.published(), altered, Map.of())))
                    .as("altered: " + real)
                    .anySatisfy(deviation -> assertThat(deviation.service()).isEqualTo(real.service()));
        }
    }

    @Test
    void what_should_have_followed_is_told() {
        History history = new Run().settled().history();
        Transition confirmed = history.transitions().stream()
                .filter(transition -> transition.service().equals("order") && transition.to() == 30)
                .findFirst()
                .orElseThrow();
        var altered = new ArrayList<>(history.transitions());
        Collections.replaceAll(
                altered,
                confirmed,
                new Transition("order", Run.ORDER, confirmed.eventId(), confirmed.from(), 50, confirmed.version()));

        assertThat(HistoryReplay.deviations(new History(history.published(), altered, Map.of())))
                .first()
                .satisfies(deviation -> {
                    assertThat(deviation.step()).startsWith("version 3, after PaymentAuthorized ");
                    assertThat(deviation.why())
                            .isEqualTo("the reactions lead from STOCK_RESERVED to CONFIRMED in version 3, not to state"
                                    + " 50");
                });
    }

    @Test
    void an_event_with_other_content_than_was_decided_is_told() {
        History history = new Run().settled().history();
        var altered = new ArrayList<>(history.published());
        altered.replaceAll(published -> published.event() instanceof PaymentCaptured e
                ? with(published, new PaymentCaptured(e.getOrderId(), e.getMerchantId(), e.getCurrency(), 99L))
                : published);

        assertThat(HistoryReplay.deviations(new History(altered, history.transitions(), Map.of())))
                .anySatisfy(deviation -> {
                    assertThat(deviation.service()).isEqualTo("account");
                    assertThat(deviation.why()).contains("PaymentCaptured").contains("decided was");
                });
    }

    @Test
    void an_event_that_nothing_leads_to_is_told() {
        History history = new Run().settled().history();
        Published captured = history.published().stream()
                .filter(published -> published.event() instanceof PaymentCaptured)
                .findFirst()
                .orElseThrow();
        var more = new ArrayList<>(history.published());
        more.add(new Published(
                EventIds.named(0, "forged"),
                EventIds.named(0, "nothing"),
                "account",
                captured.topic(),
                Run.ORDER,
                captured.event()));

        assertThat(HistoryReplay.deviations(new History(more, history.transitions(), Map.of())))
                .singleElement()
                .satisfies(deviation ->
                        assertThat(deviation.why()).isEqualTo("nothing that happened leads to this announcement"));
    }

    @Test
    void a_topic_heard_out_of_its_order_is_told() {
        History history = new Run().settled().history();
        List<Published> placedAfterConfirmed = new ArrayList<>(history.published());
        Collections.reverse(placedAfterConfirmed);

        assertThat(HistoryReplay.deviations(new History(placedAfterConfirmed, history.transitions(), Map.of())))
                .anySatisfy(deviation -> assertThat(deviation.toString())
                        .contains("inventory", "OrderConfirmed", "it was handled after OrderPlaced, which came later"));
    }

    @Test
    void nothing_is_expected_of_an_event_that_was_set_aside() {
        History history = new Run().settled().history();
        Published captured = history.published().stream()
                .filter(published -> published.event() instanceof PaymentCaptured)
                .findFirst()
                .orElseThrow();
        var withoutPaid = new ArrayList<>(history.transitions());
        withoutPaid.removeIf(transition -> transition.eventId().equals(captured.id()));
        var withoutAnswer = new ArrayList<>(history.published());
        withoutAnswer.removeIf(published -> published.cause().equals(captured.id()));

        assertThat(HistoryReplay.deviations(new History(withoutAnswer, withoutPaid, Map.of())))
                .isNotEmpty();
        assertThat(HistoryReplay.deviations(
                        new History(withoutAnswer, withoutPaid, Map.of("order", Set.of(captured.id())))))
                .isEmpty();
    }

    private static Published with(Published published, PaymentCaptured event) {
        return new Published(
                published.id(), published.cause(), published.producer(), published.topic(), published.orderId(), event);
    }
}
