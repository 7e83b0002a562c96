package dev.paysaga.reconciliation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who reacts to which event: the contract's table, written down once more. An auditor takes nothing from the audited. */
final class Listeners {

    /** Consumer groups, by who they belong to. */
    static final List<String> GROUPS = List.of(
            "order.forward",
            "order.compensation",
            "inventory.forward",
            "inventory.compensation",
            "account.forward",
            "account.compensation",
            "notification.forward");

    private static final Map<String, Map<String, Set<String>>> REACTIONS = Map.of(
            "order.forward",
            Map.of(
                    "inventory.events", Set.of("StockReserved", "StockRejected", "StockCommitted"),
                    "account.events", Set.of("PaymentAuthorized", "PaymentCaptured")),
            "order.compensation",
            Map.of(
                    "inventory.compensations",
                    Set.of("StockReleased"),
                    "account.compensations",
                    Set.of("PaymentDeclined", "PaymentVoided", "RefundCompleted", "RefundFailed", "RefundSuspended")),
            "inventory.forward",
            Map.of("order.events", Set.of("OrderPlaced", "OrderConfirmed")),
            "inventory.compensation",
            Map.of(
                    "order.compensations", Set.of("OrderCanceled"),
                    "account.compensations", Set.of("PaymentDeclined", "RefundCompleted")),
            "account.forward",
            Map.of("inventory.events", Set.of("StockReserved"), "order.events", Set.of("OrderConfirmed")),
            "account.compensation",
            Map.of("order.compensations", Set.of("OrderCanceled", "RefundRequested")),
            "notification.forward",
            Map.of("order.events", Set.of("OrderPaid", "OrderClosed", "OrderRefunded", "OrderRefundFailed")));

    private Listeners() {}

    /** The groups that must hear an event. */
    static List<String> of(Published event) {
        var groups = new ArrayList<String>();
        for (String group : GROUPS) {
            if (REACTIONS
                    .getOrDefault(group, Map.of())
                    .getOrDefault(event.topic(), Set.of())
                    .contains(event.type())) {
                groups.add(group);
            }
        }
        return groups;
    }

    /** The service a group belongs to, which is also the name in its inbox. */
    static String service(String group) {
        return group.substring(0, group.indexOf('.'));
    }
}
