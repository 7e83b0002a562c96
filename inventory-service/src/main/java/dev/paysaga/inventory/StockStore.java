package dev.paysaga.inventory;

import dev.paysaga.inventory.domain.Shelf;
import dev.paysaga.saga.web.InvalidRequest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Goods that come in. */
@Component
final class StockStore {

    private final JdbcClient jdbc;

    StockStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Shelf> shelf(String merchantId, String sku) {
        return jdbc.sql("select on_hand, reserved from shelves where merchant_id = ? and sku = ?")
                .params(merchantId, sku)
                .query((row, number) -> new Shelf(sku, row.getLong("on_hand"), row.getLong("reserved")))
                .optional();
    }

    /**
     * Takes goods in, unless this number was used before. Of two at once with one number the second waits for the first.
     *
     * @return what is stored under this number: these goods, or those that came before
     * @throws InvalidRequest if the shelf would hold more than can be counted
     */
    Receipt receive(String merchantId, String receiptNo, String sku, long quantity) {
        int fresh = jdbc.sql("""
                insert into stock_receipts (merchant_id, receipt_no, sku, quantity) values (?, ?, ?, ?)
                on conflict (merchant_id, receipt_no) do nothing
                """).params(merchantId, receiptNo, sku, quantity).update();
        if (fresh == 1) {
            putOnShelf(merchantId, sku, quantity);
        }
        return jdbc.sql(
                        "select sku, quantity, received_at from stock_receipts where merchant_id = ? and receipt_no = ?")
                .params(merchantId, receiptNo)
                .query((row, number) -> new Receipt(
                        receiptNo,
                        row.getString("sku"),
                        row.getLong("quantity"),
                        row.getObject("received_at", OffsetDateTime.class).toInstant()))
                .single();
    }

    private void putOnShelf(String merchantId, String sku, long quantity) {
        int counted =
                jdbc.sql("""
                insert into shelves as s (merchant_id, sku, on_hand) values (?, ?, ?)
                on conflict (merchant_id, sku) do update
                   set on_hand = s.on_hand + excluded.on_hand, version = s.version + 1
                 where s.on_hand <= ? - excluded.on_hand
                """).params(merchantId, sku, quantity, Long.MAX_VALUE).update();
        if (counted == 0) {
            throw new InvalidRequest(
                    "quantity", "is more than the shelf can count: at most " + Long.MAX_VALUE + " in all");
        }
    }

    /**
     * Goods that came in.
     *
     * @param receiptNo the merchant's own number
     * @param quantity units
     */
    record Receipt(String receiptNo, String sku, long quantity, Instant receivedAt) {}
}
