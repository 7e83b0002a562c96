package dev.paysaga.inventory;

import dev.paysaga.inventory.Lines.Line;
import dev.paysaga.inventory.domain.Reason;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What a merchant's order has asked of the shelves. Needs {@code stock:write} or {@code orders:read}. */
@RestController
class ReservationApi {

    private final ReservationStore store;

    ReservationApi(ReservationStore store) {
        this.store = store;
    }

    @GetMapping("/v1/reservations/{orderId}")
    @Call("Reads what an order has asked of the shelves")
    @PreAuthorize("hasAnyAuthority('SCOPE_stock:write', 'SCOPE_orders:read')")
    View reservation(@PathVariable UUID orderId, Caller caller) {
        return store.find(orderId, caller.merchant())
                .map(reservation -> View.of(reservation, store.restocksOf(orderId)))
                .orElseThrow(() -> Problem.notFound("A reservation of order " + orderId));
    }

    /**
     * A reservation, as shown.
     *
     * @param reason why there is no stock for the order; null as long as there is
     * @param sku the first product that could not be served; null unless REJECTED
     * @param lines what was asked for
     * @param restocked what came back, by refund
     * @param version number of changes of status so far
     */
    record View(
            UUID orderId,
            Reservation.Status status,
            @Nullable Reason reason,
            @Nullable String sku,
            List<Line> lines,
            List<Returned> restocked,
            int version) {

        static View of(Reservation reservation, Restocks restocks) {
            return new View(
                    reservation.orderId(),
                    reservation.status(),
                    reservation.reason(),
                    reservation.shortSku(),
                    Lines.of(reservation.units()),
                    restocks.byRefundNo().entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .map(refund -> new Returned(refund.getKey(), Lines.of(refund.getValue())))
                            .toList(),
                    reservation.version());
        }
    }

    record Returned(String refundNo, List<Line> lines) {}
}
