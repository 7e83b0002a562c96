package dev.paysaga.inventory;

import dev.paysaga.inventory.domain.Decision;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Restock;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.inventory.domain.Shelves;
import dev.paysaga.saga.state.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of the stock that one poll may touch: locked in the database, changed here decision by decision, written back
 * once. A reservation that was never stored cannot be locked; two who are the first to store it find out when they save.
 */
final class LockedStock {

    private final Map<UUID, Reservation> loaded;
    private final Set<UUID> overdue;
    private final Map<UUID, Reservation> reservations;
    private final Map<ShelfKey, Shelf> loadedShelves;
    private final Map<ShelfKey, Shelf> shelves;
    private final Map<UUID, Restocks> restocks;
    private final List<NewRestock> newRestocks = new ArrayList<>();
    private final List<Transition> transitions = new ArrayList<>();

    /** @param overdue the reservations about which a person was asked */
    LockedStock(
            Map<UUID, Reservation> reservations,
            Set<UUID> overdue,
            Map<UUID, Restocks> restocks,
            Map<ShelfKey, Shelf> shelves) {
        this.loaded = Map.copyOf(reservations);
        this.overdue = Set.copyOf(overdue);
        this.reservations = new HashMap<>(reservations);
        this.loadedShelves = Map.copyOf(shelves);
        this.shelves = new HashMap<>(shelves);
        this.restocks = new HashMap<>(restocks);
    }

    Reservation reservation(UUID orderId, String merchantId) {
        @Nullable Reservation known = reservations.get(orderId);
        return known == null ? Reservation.unseen(orderId, merchantId) : known;
    }

    Restocks restocks(UUID orderId) {
        return restocks.getOrDefault(orderId, Restocks.NONE);
    }

    /** Those of the merchant's shelves with these products that exist. */
    Shelves shelves(String merchantId, Set<String> skus) {
        var bySku = new HashMap<String, Shelf>();
        for (String sku : skus) {
            @Nullable Shelf shelf = shelves.get(new ShelfKey(merchantId, sku));
            if (shelf != null) {
                bySku.put(sku, shelf);
            }
        }
        return new Shelves(bySku);
    }

    /** Keeps what was decided because of this event. */
    void keep(UUID eventId, Reservation before, Decision decision) {
        Reservation after = decision.reservation();
        decision.shelves().bySku().forEach((sku, shelf) -> shelves.put(new ShelfKey(after.merchantId(), sku), shelf));
        decision.restock().ifPresent(restock -> {
            restocks.merge(after.orderId(), Restocks.NONE.with(restock), (known, one) -> known.with(restock));
            newRestocks.add(new NewRestock(after, restock));
        });
        if (after.status() != before.status()) {
            reservations.put(after.orderId(), after);
            transitions.add(new Transition(
                    after.orderId(),
                    eventId,
                    before.status().code(),
                    after.status().code(),
                    after.version(),
                    before.status().name(),
                    after.status().name()));
        }
    }

    /** Reservations that are stored for the first time. */
    List<Reservation> newReservations() {
        return reservations.values().stream()
                .filter(reservation -> !loaded.containsKey(reservation.orderId()))
                .toList();
    }

    /** Stored reservations that have changed. */
    List<Change> changedReservations() {
        return loaded.values().stream()
                .map(before -> new Change(before.version(), reservations.getOrDefault(before.orderId(), before)))
                .filter(change -> change.versionBefore() != change.after().version())
                .toList();
    }

    /** Reservations about which a person was asked, and that have been decided now. */
    List<Reservation> settledOverdue() {
        return changedReservations().stream()
                .map(Change::after)
                .filter(reservation -> overdue.contains(reservation.orderId()))
                .toList();
    }

    Map<ShelfKey, Shelf> changedShelves() {
        var changed = new HashMap<>(shelves);
        changed.entrySet().removeIf(shelf -> shelf.getValue().equals(loadedShelves.get(shelf.getKey())));
        return changed;
    }

    List<NewRestock> newRestocks() {
        return newRestocks;
    }

    List<Transition> transitions() {
        return transitions;
    }

    /** Where a shelf is. */
    record ShelfKey(String merchantId, String sku) {}

    record Change(int versionBefore, Reservation after) {}

    record NewRestock(Reservation reservation, Restock restock) {}
}
