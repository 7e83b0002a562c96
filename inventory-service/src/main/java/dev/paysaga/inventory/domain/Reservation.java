package dev.paysaga.inventory.domain;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one order has asked of the shelves, and how that stands.
 *
 * @param orderId the order; there is one reservation for each
 * @param merchantId whose order and whose shelves
 * @param status how it stands
 * @param units what was asked for; empty while that is not known (UNSEEN, REFUSED)
 * @param reason why there is no stock for the order; null as long as there is
 * @param shortSku the first product that could not be served; null unless REJECTED
 * @param version number of transitions so far
 */
public record Reservation(
        UUID orderId,
        String merchantId,
        Status status,
        Units units,
        @Nullable Reason reason,
        @Nullable String shortSku,
        int version) {

    /** The states, with the codes under which they are stored. Codes are never renumbered. */
    public enum Status {
        /** Nothing was heard of the order. Never stored. */
        UNSEEN(0),
        /** All units of the order are promised to it. */
        RESERVED(1),
        /** All units of the order have left the shelf. */
        COMMITTED(2),
        /** The units were promised, and given back. */
        RELEASED(3),
        /** Nothing was promised: not enough stock, or a product the merchant does not carry. */
        REJECTED(4),
        /** Canceled before it was seen. The fence: an order that comes after its cancellation gets no stock. */
        REFUSED(5);

        private static final Map<Status, Set<Status>> MAY_BECOME = Map.of(
                UNSEEN, Set.of(RESERVED, REJECTED, REFUSED),
                RESERVED, Set.of(COMMITTED, RELEASED));

        private final int code;

        Status(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /** @throws IllegalArgumentException if no state has this code */
        public static Status of(int code) {
            for (Status status : values()) {
                if (status.code == code) {
                    return status;
                }
            }
            throw new IllegalArgumentException("no reservation state has the code " + code);
        }

        boolean mayBecome(Status next) {
            return MAY_BECOME.getOrDefault(this, Set.of()).contains(next);
        }
    }

    /** @throws IllegalArgumentException if the parts contradict the status */
    public Reservation {
        boolean unknownUnits = status == Status.UNSEEN || status == Status.REFUSED;
        boolean noStock = status == Status.RELEASED || status == Status.REJECTED || status == Status.REFUSED;
        if (units.isEmpty() != unknownUnits
                || (reason != null) != noStock
                || (shortSku != null) != (status == Status.REJECTED)) {
            throw new IllegalArgumentException("the reservation of order " + orderId + " cannot be " + status
                    + " with units " + units.bySku() + ", reason " + reason + ", short of " + shortSku);
        }
    }

    /** The state before anything was heard of an order. */
    public static Reservation unseen(UUID orderId, String merchantId) {
        return new Reservation(orderId, merchantId, Status.UNSEEN, Units.NONE, null, null, 0);
    }

    Reservation reserve(Units all) {
        return become(Status.RESERVED, all, null, null);
    }

    Reservation reject(Units all, Shelves.Shortage shortage) {
        return become(Status.REJECTED, all, shortage.reason(), shortage.sku());
    }

    Reservation refuse() {
        return become(Status.REFUSED, units, Reason.ORDER_CANCELED, null);
    }

    Reservation release(Reason why) {
        return become(Status.RELEASED, units, why, null);
    }

    Reservation commit() {
        return become(Status.COMMITTED, units, null, null);
    }

    private Reservation become(Status next, Units all, @Nullable Reason why, @Nullable String sku) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException(
                    "the reservation of order " + orderId + " is " + status + " and cannot become " + next);
        }
        return new Reservation(orderId, merchantId, next, all, why, sku, version + 1);
    }
}
