package dev.paysaga.inventory;

import dev.paysaga.inventory.StockStore.Receipt;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.FieldError;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.web.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A merchant's own shelves. Reading needs {@code stock:write} or {@code orders:read}: there is no scope for it alone. */
@RestController
@RequestMapping("/v1/stock/{sku}")
class StockApi {

    /** Names of products and receipts are keys of rows and of messages; nobody needs longer ones. */
    private static final int LONGEST_NAME = 64;

    private final StockStore store;
    private final TransactionOperations transaction;

    StockApi(StockStore store, TransactionOperations transaction) {
        this.store = store;
        this.transaction = transaction;
    }

    /** Takes goods in, once per {@code receiptNo}. The first receipt of a product creates its shelf. */
    @PostMapping("/receipts")
    @ResponseStatus(HttpStatus.CREATED)
    @Call(value = "Takes goods in, once per receiptNo", refuses = "409 receipt-no-conflict")
    @PreAuthorize("hasAuthority('SCOPE_stock:write')")
    Receipt receive(@PathVariable String sku, @RequestBody Goods goods, Caller caller) {
        goods.check(sku);
        String receiptNo = Objects.requireNonNull(goods.receiptNo());
        long quantity = Objects.requireNonNull(goods.quantity());
        Receipt stored = Objects.requireNonNull(
                transaction.execute(status -> store.receive(caller.merchant(), receiptNo, sku, quantity)));
        if (!stored.sku().equals(sku) || stored.quantity() != quantity) {
            throw Problem.of(
                            HttpStatus.CONFLICT,
                            "receipt-no-conflict",
                            "Receipt " + receiptNo + " was taken in before with " + stored.quantity() + " units of "
                                    + stored.sku() + ". Use another receiptNo for other goods.")
                    .with("receiptNo", receiptNo);
        }
        return stored;
    }

    @GetMapping
    @Call("Reads a shelf")
    @PreAuthorize("hasAnyAuthority('SCOPE_stock:write', 'SCOPE_orders:read')")
    Stock stock(@PathVariable String sku, Caller caller) {
        return store.shelf(caller.merchant(), sku)
                .map(shelf -> new Stock(sku, shelf.onHand(), shelf.reserved(), shelf.available()))
                .orElseThrow(() -> Problem.notFound("Product " + sku));
    }

    /**
     * What a merchant says it received.
     *
     * @param receiptNo the merchant's own number, unique among its receipts for ever
     * @param quantity units, at least 1
     */
    record Goods(@Nullable String receiptNo, @Nullable Long quantity) {

        void check(String sku) {
            var errors = new ArrayList<FieldError>();
            checkName(errors, "sku", sku);
            checkName(errors, "receiptNo", receiptNo);
            if (quantity == null || quantity < 1) {
                errors.add(new FieldError("quantity", "must be a whole number of units, at least 1"));
            }
            if (!errors.isEmpty()) {
                throw new InvalidRequest(errors);
            }
        }

        private static void checkName(List<FieldError> errors, String field, @Nullable String name) {
            if (name == null
                    || name.isBlank()
                    || name.length() > LONGEST_NAME
                    || name.chars().anyMatch(Character::isISOControl)) {
                errors.add(new FieldError(
                        field, "must be text of 1 to " + LONGEST_NAME + " characters without control characters"));
            }
        }
    }

    /**
     * A shelf, as shown.
     *
     * @param onHand units on the shelf
     * @param reserved units of them that are promised to orders
     * @param available the rest, never negative
     */
    record Stock(String sku, long onHand, long reserved, long available) {}
}
