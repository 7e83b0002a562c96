package dev.paysaga.inventory.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.inventory.domain.Reservation.Status;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** States that must not exist cannot be constructed, whoever tries. */
class GuardsTest {

    private static final UUID ORDER = new UUID(0x7000, 1);

    @Test
    void a_shelf_is_never_oversold() {
        Shelf full = new Shelf("tea", 5, 5);

        assertThatThrownBy(() -> full.reserve(1)).hasMessage("shelf tea is oversold: 6 of 5 reserved");
    }

    @Test
    void a_shelf_never_gives_back_what_was_not_promised() {
        Shelf untouched = new Shelf("tea", 5, 0);

        assertThatThrownBy(() -> untouched.release(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> untouched.commit(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_shelf_never_overflows() {
        assertThatThrownBy(() -> new Shelf("tea", Long.MAX_VALUE, 0).restock(1)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void a_reservation_that_is_decided_stays_decided() {
        Reservation reserved = Reservation.unseen(ORDER, "tea-house").reserve(new Units(Map.of("tea", 2L)));

        assertThatThrownBy(() -> reserved.commit().release(Reason.ORDER_CANCELED))
                .hasMessageContaining("is COMMITTED and cannot become RELEASED");
        assertThatThrownBy(() -> reserved.release(Reason.ORDER_CANCELED).commit())
                .hasMessageContaining("is RELEASED and cannot become COMMITTED");
    }

    @Test
    void every_transition_counts_the_version_up() {
        Reservation reserved = Reservation.unseen(ORDER, "tea-house").reserve(new Units(Map.of("tea", 2L)));

        assertThat(reserved.version()).isEqualTo(1);
        assertThat(reserved.commit().version()).isEqualTo(2);
    }

    @Test
    void a_reservation_without_units_reserves_nothing() {
        assertThatThrownBy(() -> Reservation.unseen(ORDER, "tea-house").reserve(Units.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_product_is_never_named_without_units() {
        assertThatThrownBy(() -> new Units(Map.of("tea", 0L))).hasMessage("0 units of tea: at least 1 is needed");
    }

    @Test
    void a_refund_is_restocked_once() {
        Restock restock = new Restock("R1", new Units(Map.of("tea", 1L)));

        assertThatThrownBy(() -> Restocks.NONE.with(restock).with(restock)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void state_codes_are_the_published_ones() {
        assertThat(Arrays.stream(Status.values()).map(status -> status.code() + " " + status))
                .containsExactly(
                        "0 UNSEEN", "1 RESERVED", "2 COMMITTED", "3 RELEASED", "4 REJECTED", "5 REFUSED");
        assertThat(Arrays.stream(Status.values()).map(status -> Status.of(status.code())))
                .containsExactly(Status.values());
    }
}
