package dev.paysaga.stack.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonEventsTest {

    private static final String ORDER = """
            {"merchantId":"shop","outTradeNo":"A-1","payerAccountId":"alice","currency":"EUR",
             "lines":[{"sku":"tea","quantity":2,"unitPrice":350}]}""";

    private final JsonEvents events = new JsonEvents(new PaymentSaga());

    @Test
    void an_event_is_read_with_the_defaults_of_its_schema() {
        var order = (OrderRequested) events.read(Topics.ORDER_REQUESTS, ORDER);

        assertThat(order.getOutTradeNo()).isEqualTo("A-1");
        assertThat(order.getLines().getFirst().getUnitPrice()).isEqualTo(350);
        assertThat(order.getAmount()).isNull();
    }

    @Test
    void what_was_read_is_written_again() {
        var order = events.read(Topics.ORDER_REQUESTS, ORDER.replace("\"currency\"", "\"amount\":700,\"currency\""));

        assertThat(JsonEvents.write(order))
                .hasToString("{\"merchantId\":\"shop\",\"outTradeNo\":\"A-1\",\"payerAccountId\":\"alice\","
                        + "\"currency\":\"EUR\",\"amount\":700,"
                        + "\"lines\":[{\"sku\":\"tea\",\"quantity\":2,\"unitPrice\":350}],\"notifyUrl\":null}");
    }

    @ParameterizedTest
    @CsvSource({"type,OrderCanceled", "@type,OrderCanceled", "type,dev.paysaga.events.OrderCanceled"})
    void a_topic_with_several_events_needs_the_type(String member, String type) {
        String order = "{\"%s\":\"%s\",\"orderId\":\"0193b3a4-6c5e-7000-8000-000000000001\",\"merchantId\":\"shop\","
                + "\"reason\":\"TIMED_OUT\"}";

        assertThat(events.read(Topics.ORDER_COMPENSATIONS, order.formatted(member, type)))
                .isInstanceOf(OrderCanceled.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"quantity\":2        | \"quantity\":\"two\" | field lines[0].quantity: expected a whole number, found \"two\"",
                "\"quantity\":2        | \"quantity\":2.5     | field lines[0].quantity: expected a whole number, found 2.5",
                "\"quantity\":2,       | ``                   | field lines[0].quantity is missing",
                "\"currency\":\"EUR\"  | \"currency\":978     | field currency: expected a text, found 978",
                "\"currency\"          | \"curency\"          | field curency is unknown; OrderRequested has merchantId",
                "\"currency\":\"EUR\"  | \"amount\":true,\"currency\":\"EUR\" | field amount: expected a whole number, found true",
                "\"currency\":\"EUR\"  | \"currency\":\"EUR\",\"currency\":\"EUR\" | this is not JSON: Duplicate field",
                "{\"merchantId\"       | {\"merchantId        | this is not JSON",
            })
    void a_mistake_is_named_with_its_field(String part, String mistake, String message) {
        String line = ORDER.replace(part, mistake);

        assertThatThrownBy(() -> events.read(Topics.ORDER_REQUESTS, line))
                .isInstanceOf(WrongEvent.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "17", "null", "\"order\""})
    void what_is_no_object_is_no_event(String line) {
        assertThatThrownBy(() -> events.read(Topics.ORDER_REQUESTS, line))
                .hasMessageContaining("an event is a JSON object");
    }

    @Test
    void an_order_id_must_be_a_uuid() {
        String order =
                "{\"type\":\"OrderCanceled\",\"orderId\":\"17\",\"merchantId\":\"shop\",\"reason\":\"TIMED_OUT\"}";

        assertThatThrownBy(() -> events.read(Topics.ORDER_COMPENSATIONS, order))
                .hasMessage("field orderId: expected a UUID, found \"17\"");
    }

    @Test
    void without_a_type_the_possible_ones_are_named() {
        assertThatThrownBy(() -> events.read(Topics.ORDER_COMPENSATIONS, "{}"))
                .hasMessageContaining("say which event it is, in a field \"type\"")
                .hasMessageContaining("OrderCanceled, RefundRequested");
        assertThatThrownBy(() -> events.read(Topics.ORDER_COMPENSATIONS, "{\"type\":\"OrderPaid\"}"))
                .hasMessageContaining("has no event \"OrderPaid\"");
    }
}
