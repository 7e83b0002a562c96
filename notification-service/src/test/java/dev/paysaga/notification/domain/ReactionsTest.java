package dev.paysaga.notification.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.notification.domain.Notification.Kind;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told about each outcome. */
class ReactionsTest {

    private static final UUID ORDER = new UUID(0x7000, 1);

    @ParameterizedTest(name = "{0}, refund {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            # hears           | refund | tells
            OrderPaid         |        | {currency=EUR, amount=1000}
            OrderClosed       |        | {reason=OUT_OF_STOCK}
            OrderRefunded     | R1     | {currency=EUR, amount=300, refundedAmount=700}
            OrderRefundFailed | R1     | {currency=EUR, amount=300, reason=RETURNED_TO_MERCHANT}
            """)
    void tells(Kind hears, String refundNo, String tells) {
        Notification notification = decide(hears);

        assertThat(notification.kind()).isEqualTo(hears);
        assertThat(notification.refundNo()).isEqualTo(refundNo);
        assertThat(notification.facts()).hasToString(tells);
        assertThat(notification.notifyUrl()).isEqualTo("https://shop.example/hook");
    }

    @Test
    void everyEventWithAReactionIsAKind() {
        assertThat(Arrays.stream(Reactions.class.getDeclaredMethods())
                        .filter(method -> method.getName().equals("on"))
                        .map(method -> method.getParameterTypes()[0].getSimpleName()))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Kind.values()).map(Kind::name).toList());
    }

    @Test
    void whatIsSaidAboutARefundSaysWhich() {
        assertThatThrownBy(
                        () -> new Notification("m", ORDER, "T-1", Kind.OrderRefunded, null, null, Map.of("amount", 1L)))
                .hasMessage("a notification of OrderRefunded cannot be about refund null");
    }

    private static Notification decide(Kind hears) {
        String url = "https://shop.example/hook";
        return switch (hears) {
            case OrderPaid -> Reactions.on(new OrderPaid(ORDER, "m", "T-1", "EUR", 1000L, url));
            case OrderClosed -> Reactions.on(new OrderClosed(ORDER, "m", "T-1", "OUT_OF_STOCK", url));
            case OrderRefunded -> Reactions.on(new OrderRefunded(ORDER, "m", "T-1", "R1", "EUR", 300L, 700L, url));
            case OrderRefundFailed ->
                Reactions.on(new OrderRefundFailed(ORDER, "m", "T-1", "R1", "EUR", 300L, "RETURNED_TO_MERCHANT", url));
        };
    }
}
