package dev.paysaga.inventory.domain;

import java.util.HashMap;
import java.util.Map;

/**
 * Everything that came back of one order. Kept by refund number, not by event: a refund is restocked once even when its
 * event arrives again after the inbox was purged.
 *
 * @param byRefundNo what each refund put back
 */
public record Restocks(Map<String, Units> byRefundNo) {

    public static final Restocks NONE = new Restocks(Map.of());

    public Restocks {
        byRefundNo = Map.copyOf(byRefundNo);
    }

    public Restocks with(Restock restock) {
        var all = new HashMap<>(byRefundNo);
        if (all.put(restock.refundNo(), restock.units()) != null) {
            throw new IllegalStateException("refund " + restock.refundNo() + " was restocked already");
        }
        return new Restocks(all);
    }

    boolean know(String refundNo) {
        return byRefundNo.containsKey(refundNo);
    }

    /** Whether {@code more} can come back of what was committed, besides what has come back already. */
    boolean leaveRoomFor(Units more, Units committed) {
        return more.bySku().entrySet().stream()
                .allMatch(line -> line.getValue() <= committed.of(line.getKey()) - cameBack(line.getKey()));
    }

    private long cameBack(String sku) {
        return byRefundNo.values().stream().mapToLong(units -> units.of(sku)).sum();
    }
}
