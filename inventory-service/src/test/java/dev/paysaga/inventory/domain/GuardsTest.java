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
    void aShelfIsNeverOversold() {
        Shelf full = new Shelf("tea", 5, 5);

        assertThatThrownBy(() -> full.reserve(1)).hasMessage("shelf tea is oversold: 6 of 5 reserved");
    }

    @Test
    void aShelfNeverGivesBackWhatWasNotPromised() {
        Shelf untouched = new Shelf("tea", 5, 0);

        assertThatThrownBy(() -> untouched.release(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> untouched.commit(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aShelfNeverOverflows() {
        assertThatThrownBy(() -> new Shelf("tea", Long.MAX_VALUE, 0).restock(1))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void aReservationThatIsDecidedStaysDecided() {
        Reservation reserved = Reservation.unseen(ORDER, "tea-house").reserve(new Units(Map.of("tea", 2L)));

        assertThatThrownBy(() -> reserved.commit().release(Reason.ORDER_CANCELED))
                .hasMessageContaining("is COMMITTED and cannot become RELEASED");
        assertThatThrownBy(() -> reserved.release(Reason.ORDER_CANCELED).commit())
                .hasMessageContaining("is RELEASED and cannot become COMMITTED");
    }

    @Test
    void everyTransitionCountsTheVersionUp() {
        Reservation reserved = Reservation.unseen(ORDER, "tea-house").reserve(new Units(Map.of("tea", 2L)));

        assertThat(reserved.version()).isEqualTo(1);
        assertThat(reserved.commit().version()).isEqualTo(2);
    }

    @Test
    void aReservationWithoutUnitsReservesNothing() {
        assertThatThrownBy(() -> Reservation.unseen(ORDER, "tea-house").reserve(Units.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aProductIsNeverNamedWithoutUnits() {
        assertThatThrownBy(() -> new Units(Map.of("tea", 0L))).hasMessage("0 units of tea: at least 1 is needed");
    }

    @Test
    void aRefundIsRestockedOnce() {
        Restock restock = new Restock("R1", new Units(Map.of("tea", 1L)));

        assertThatThrownBy(() -> Restocks.NONE.with(restock).with(restock)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void stateCodesAreThePublishedOnes() {
        assertThat(Arrays.stream(Status.values()).map(status -> status.code() + " " + status))
                .containsExactly("0 UNSEEN", "1 RESERVED", "2 COMMITTED", "3 RELEASED", "4 REJECTED", "5 REFUSED");
        assertThat(Arrays.stream(Status.values()).map(status -> Status.of(status.code())))
                .containsExactly(Status.values());
    }
}
