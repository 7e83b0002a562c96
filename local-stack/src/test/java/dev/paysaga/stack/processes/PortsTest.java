package dev.paysaga.stack.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {

    @ParameterizedTest
    @CsvSource({
        "order,           8081, PAYSAGA_ORDER_PORT",
        "inventory,       8082, PAYSAGA_INVENTORY_PORT",
        "account,         8083, PAYSAGA_ACCOUNT_PORT",
        "account#2,       8183, PAYSAGA_ACCOUNT_2_PORT",
        "notification,    8084, PAYSAGA_NOTIFICATION_PORT",
        "registry,        8085, PAYSAGA_REGISTRY_PORT",
        "kafka,           9092, PAYSAGA_KAFKA_PORT",
        "order-db,        5433, PAYSAGA_ORDER_DB_PORT",
        "notification-db, 5436, PAYSAGA_NOTIFICATION_DB_PORT",
    })
    void every_process_has_a_port_and_a_variable_that_changes_it(String process, int number, String variable) {
        assertThat(Ports.from(Map.of()).of(process)).isEqualTo(new Ports.Port(variable, number));
        assertThat(Ports.from(Map.of(variable, "7001")).of(process).number()).isEqualTo(7001);
    }

    @Test
    void management_follows_the_service_unless_it_is_set_itself() {
        assertThat(Ports.from(Map.of()).management("order").number()).isEqualTo(9081);
        assertThat(Ports.from(Map.of("PAYSAGA_ORDER_PORT", "7001"))
                        .management("order")
                        .number())
                .isEqualTo(8001);
        assertThat(Ports.from(Map.of("PAYSAGA_ORDER_MANAGEMENT_PORT", "7002"))
                        .management("order")
                        .number())
                .isEqualTo(7002);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "65536", "-1", "80 81"})
    void what_is_no_port_is_refused_with_the_variable(String text) {
        assertThatThrownBy(() -> Ports.from(Map.of("PAYSAGA_KAFKA_PORT", text)).of("kafka"))
                .hasMessage("PAYSAGA_KAFKA_PORT=" + text + " is not a port: give a number from 1 to 65535.");
    }
}
