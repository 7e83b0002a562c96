package dev.paysaga.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.wire.ConfluentWire;
import dev.paysaga.wire.EventRoute;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PaymentSagaTest {

    private static final UUID SOME_ID = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    private static final Instant SOME_TIME = Instant.parse("2026-12-01T10:15:30.123Z");

    private final PaymentSaga saga = new PaymentSaga();

    @ParameterizedTest
    @MethodSource("events")
    void every_event_finds_its_way(String topic, SpecificRecord event) {
        EventRoute route = saga.route(event);

        assertThat(route.topic()).isEqualTo(topic);
        if (event instanceof EventParked) {
            assertThat(route.aggregateId()).isEqualTo(SOME_ID.toString());
            assertThat(route.headers()).isEmpty();
        } else {
            boolean isOfAnOrder = event.getSchema().getField("orderId") != null && !(event instanceof OrderRejected);
            assertThat(route.aggregateId()).isEqualTo(isOfAnOrder ? SOME_ID.toString() : "merchantId/outTradeNo");
            assertThat(route.headers()).isEqualTo(Map.of(PaymentSaga.MERCHANT_HEADER, "merchantId"));
        }
    }

    @ParameterizedTest
    @MethodSource("events")
    void every_event_survives_the_wire(String topic, SpecificRecord event) {
        var wire = ConfluentWire.of("mock://payment-saga");
        wire.register(saga, PaymentSaga.topics());

        assertThat(ConfluentWire.of("mock://payment-saga").decode(wire.encode(topic, event)))
                .isEqualTo(event)
                .isInstanceOf(event.getClass());
    }

    @ParameterizedTest
    @MethodSource("noEvents")
    void what_is_no_event_has_no_way(SpecificRecord part) {
        assertThatThrownBy(() -> saga.route(part))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(part.getSchema().getFullName());
    }

    static Stream<Arguments> events() {
        var saga = new PaymentSaga();
        return PaymentSaga.topics().stream()
                .flatMap(topic -> saga.schemasOf(topic).stream().map(schema -> Arguments.of(topic, example(schema))));
    }

    static Stream<SpecificRecord> noEvents() {
        return Stream.of(new OrderLine("sku", 1L, 5L), new RestockLine("sku", 1L));
    }

    private static SpecificRecord example(Schema schema) {
        SpecificRecord event = blank(schema);
        for (Schema.Field field : schema.getFields()) {
            event.put(field.pos(), value(field.name(), field.schema()));
        }
        return event;
    }

    private static SpecificRecord blank(Schema schema) {
        try {
            return (SpecificRecord)
                    Class.forName(schema.getFullName()).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("generated classes are named as their records", e);
        }
    }

    /** Optional fields are left out in half of the cases, by the parity of their names' lengths. */
    private static Object value(String name, Schema schema) {
        boolean plain = schema.getLogicalType() == null;
        return switch (schema.getType()) {
            case STRING -> plain ? name : SOME_ID;
            case LONG -> plain ? 4_200_000_000_000L : SOME_TIME;
            case INT -> 7;
            case BOOLEAN -> true;
            case ARRAY -> List.of(value(name, schema.getElementType()), value(name, schema.getElementType()));
            case RECORD -> example(schema);
            case UNION ->
                name.length() % 2 == 0 ? null : value(name, schema.getTypes().get(1));
            default -> throw new IllegalArgumentException("no example for " + schema);
        };
    }
}
