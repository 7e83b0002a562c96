package dev.paysaga.simulation.history;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.inventory.domain.Decision;
import dev.paysaga.inventory.domain.Reactions;
import dev.paysaga.inventory.domain.Reservation;
import dev.paysaga.inventory.domain.Restocks;
import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.inventory.domain.Shelves;
import dev.paysaga.simulation.InventoryRole;
import dev.paysaga.simulation.history.History.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What inventory may have decided. */
final class InventoryModel implements Model<Reservation> {

    private static final InventoryRole ROLE = new InventoryRole(1);

    /** Far more than any order wants. */
    private static final long PLENTY = 1_000_000_000_000L;

    private final Map<UUID, String> merchants;

    /** @param merchants whose each order is */
    InventoryModel(Map<UUID, String> merchants) {
        this.merchants = Map.copyOf(merchants);
    }

    static InventoryModel of(History history) {
        var merchants = new HashMap<UUID, String>();
        for (Published published : history.published()) {
            if (published.event() instanceof OrderPlaced e) {
                merchants.put(published.orderId(), e.getMerchantId());
            }
        }
        return new InventoryModel(merchants);
    }

    @Override
    public String service() {
        return "inventory";
    }

    @Override
    public boolean hears(Published published) {
        return ROLE.hears().contains(published.topic()) && !ROLE.passesBy(published.event());
    }

    @Override
    public Reservation start(UUID orderId) {
        return Reservation.unseen(orderId, merchants.getOrDefault(orderId, "nobody"));
    }

    @Override
    public Mark mark(Reservation state) {
        return new Mark(state.status().code(), state.version(), state.status().name());
    }

    /** A restock is no transition: the refund's event is taken as heard for the first time. */
    @Override
    public List<Outcome<Reservation>> outcomes(
            Reservation state, UUID cause, @Nullable Published heard, List<Published> said) {
        var outcomes = new ArrayList<Outcome<Reservation>>();
        if (heard != null) {
            for (Shelves shelves : shelves(state, heard.event())) {
                Decision decision = reaction(heard.event(), state, shelves);
                outcomes.add(new Outcome<>(decision.reservation(), decision.events()));
            }
        }
        return outcomes;
    }

    private static Decision reaction(SpecificRecord event, Reservation now, Shelves shelves) {
        return switch (event) {
            case OrderPlaced e -> Reactions.on(e, now, shelves);
            case OrderConfirmed e -> Reactions.on(e, now, shelves);
            case OrderCanceled e -> Reactions.on(e, now, shelves);
            case PaymentDeclined e -> Reactions.on(e, now, shelves);
            case RefundCompleted e -> Reactions.on(e, now, Restocks.NONE, shelves);
            default -> throw new IllegalArgumentException("inventory has no reaction to " + event);
        };
    }

    /** Enough of everything, and for a new order also each product short or unknown. */
    private static List<Shelves> shelves(Reservation state, SpecificRecord event) {
        Set<String> skus = new TreeSet<>(state.units().skus());
        if (!(event instanceof OrderPlaced placed)) {
            return List.of(full(skus));
        }
        placed.getLines().forEach(line -> skus.add(line.getSku()));
        var all = new ArrayList<>(List.of(full(skus)));
        for (String sku : skus) {
            var without = new HashMap<>(full(skus).bySku());
            without.put(sku, new Shelf(sku, 0, 0));
            all.add(new Shelves(without));
            without.remove(sku);
            all.add(new Shelves(without));
        }
        return all;
    }

    private static Shelves full(Set<String> skus) {
        var shelves = new HashMap<String, Shelf>();
        skus.forEach(sku -> shelves.put(sku, new Shelf(sku, 2 * PLENTY, PLENTY)));
        return new Shelves(shelves);
    }
}
