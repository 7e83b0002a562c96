package dev.paysaga.notification;

import dev.paysaga.notification.NotificationStore.Told;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import java.util.List;
import java.util.UUID;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the merchant was told about its own orders. Whoever may read the order may read this, and so may whoever sets up
 * the webhook: {@code orders:read} or {@code notifications:write}.
 */
@RestController
class NotificationApi {

    private final NotificationStore store;

    NotificationApi(NotificationStore store) {
        this.store = store;
    }

    /** Oldest first; empty while there is nothing to tell, and for another merchant's order. */
    @GetMapping("/v1/notifications")
    @Call("Lists what the merchant was told about an order, oldest first")
    @PreAuthorize("hasAnyAuthority('SCOPE_orders:read', 'SCOPE_notifications:write')")
    Notifications notifications(@RequestParam UUID orderId, Caller caller) {
        return new Notifications(store.about(orderId, caller.merchant()));
    }

    record Notifications(List<Told> notifications) {}
}
