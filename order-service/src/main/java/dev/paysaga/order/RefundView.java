package dev.paysaga.order;

import dev.paysaga.order.StoredLines.Restock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A refund as its merchant sees it.
 *
 * @param status the name of its state
 * @param currency the order's
 * @param amount in minor units
 * @param reason the merchant's own words; null if it gave none
 * @param failure why it is suspended or failed; null otherwise
 * @param restock units that go back on the shelf once it is completed
 * @param version grows with each change
 */
record RefundView(
        UUID orderId,
        String refundNo,
        String status,
        String currency,
        long amount,
        @Nullable String reason,
        @Nullable String failure,
        List<Restock> restock,
        Instant createdAt,
        Instant updatedAt,
        int version) {}
