package dev.paysaga.stack.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What one merchant does: opens accounts, takes in stock, places orders, refunds. Refused preparations fail at once. */
public final class Merchant {

    static final List<String> SCOPES = List.of(
            "orders:write", "orders:read", "stock:write", "accounts:write", "accounts:read", "notifications:write");

    /** Statuses in which an order rests. */
    public static final Set<String> TERMINAL = Set.of("PAID", "CANCELED", "PARTIALLY_REFUNDED", "REFUNDED");

    private static final long POLL = TimeUnit.MILLISECONDS.toNanos(40);

    private final Services services;
    private final String id;
    private final String token;

    Merchant(Services services, String id, String token) {
        this.services = services;
        this.id = id;
        this.token = token;
    }

    /** The merchant's id. */
    public String id() {
        return id;
    }

    /** The token it speaks with. */
    public String token() {
        return token;
    }

    /** Opens the account that its payments are captured to. */
    public void openMerchantAccount(String accountId, String currency) {
        accepted(services.post("account", "/v1/accounts", account(accountId, "MERCHANT", currency), token));
    }

    /**
     * Opens a wallet with money in it.
     *
     * @param amount in minor units; 0 leaves it empty
     */
    public void openWallet(String accountId, String currency, long amount) {
        accepted(services.post("account", "/v1/accounts", account(accountId, "WALLET", currency), token));
        if (amount > 0) {
            var deposit = new LinkedHashMap<String, Object>();
            deposit.put("depositNo", "first-" + accountId);
            deposit.put("amount", amount);
            accepted(
                    services.post("account", "/v1/accounts/" + accountId + "/deposits", Services.json(deposit), token));
        }
    }

    private static String account(String accountId, String kind, String currency) {
        var account = new LinkedHashMap<String, Object>();
        account.put("accountId", accountId);
        account.put("kind", kind);
        account.put("currency", currency);
        return Services.json(account);
    }

    /** Takes goods in. */
    public void receive(String sku, String receiptNo, long quantity) {
        var receipt = new LinkedHashMap<String, Object>();
        receipt.put("receiptNo", receiptNo);
        receipt.put("quantity", quantity);
        accepted(services.post("inventory", "/v1/stock/" + sku + "/receipts", Services.json(receipt), token));
    }

    /**
     * An order for one product, as the body of a POST.
     *
     * @param unitPrice in minor units of {@code currency}
     */
    public static String order(
            String outTradeNo, String payer, String currency, String sku, long quantity, long unitPrice) {
        var order = new LinkedHashMap<String, Object>();
        order.put("outTradeNo", outTradeNo);
        order.put("payerAccountId", payer);
        order.put("currency", currency);
        order.put("lines", List.of(Map.of("sku", sku, "quantity", quantity, "unitPrice", unitPrice)));
        return Services.json(order);
    }

    /** Places an order; sent again with the same key until it is answered. */
    public Answer place(String body) {
        return services.post("order", "/v1/orders", body, token);
    }

    /** Places an order under a key of one's own. */
    public Answer place(String body, String key) {
        return services.post("order", "/v1/orders", body, token, key);
    }

    /** Gives money back, with or without goods coming back. */
    public Answer refund(String orderId, String refundNo, long amount, Map<String, Long> restock) {
        var refund = new LinkedHashMap<String, Object>();
        refund.put("refundNo", refundNo);
        refund.put("amount", amount);
        refund.put(
                "restock",
                restock.entrySet().stream()
                        .map(line -> Map.of("sku", line.getKey(), "quantity", line.getValue()))
                        .toList());
        return services.post("order", "/v1/orders/" + orderId + "/refunds", Services.json(refund), token);
    }

    /** The order as it is now. */
    public Answer order(String orderId) {
        return services.get("order", "/v1/orders/" + orderId, token);
    }

    /** Waits until the order rests in one of these statuses, or the time is over; the order as it then is. */
    public Answer await(String orderId, Set<String> statuses, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            Answer order = order(orderId);
            if (statuses.contains(order.text("status")) || System.nanoTime() > deadline) {
                return order;
            }
            LockSupport.parkNanos(POLL);
        }
    }

    /** A shelf: onHand, reserved, available. */
    public Answer stock(String sku) {
        return services.get("inventory", "/v1/stock/" + sku, token);
    }

    /** An account: posted, held, available. */
    public Answer account(String accountId) {
        return services.get("account", "/v1/accounts/" + accountId, token);
    }

    private static void accepted(Answer answer) {
        if (!answer.ok()) {
            throw new IllegalStateException("refused: " + answer);
        }
    }
}
