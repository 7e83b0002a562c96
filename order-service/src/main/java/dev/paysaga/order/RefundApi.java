package dev.paysaga.order;

import dev.paysaga.order.domain.Outcome;
import dev.paysaga.order.domain.RefundRequest;
import dev.paysaga.order.domain.RefundTerms;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.Problem;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Refunds of an order over HTTP. */
@RestController
@RequestMapping("/v1/orders/{orderId}/refunds")
class RefundApi {

    private final OrderDesk desk;
    private final OrderViews views;

    RefundApi(OrderDesk desk, OrderViews views) {
        this.desk = desk;
        this.views = views;
    }

    @PostMapping
    @PreAuthorize("hasAuthority('SCOPE_orders:write')")
    @Call(
            value = "Asks for a refund",
            answers = 202,
            refuses = {
                "409 order-not-refundable",
                "409 refund-no-conflict",
                "422 refund-exceeds-captured",
                "422 restock-exceeds-committed"
            },
            optional = {"reason", "restock"})
    ResponseEntity<RefundView> request(@PathVariable UUID orderId, @RequestBody RefundRequest request, Caller caller) {
        String merchant = caller.merchant();
        RefundTerms terms = Answers.valid(request.check());
        Outcome outcome = desk.refund(orderId, merchant, terms).orElseThrow(() -> Answers.noSuchOrder(orderId));
        if (outcome instanceof Outcome.Refused refused) {
            throw Answers.refused(refused).with("orderId", orderId);
        }
        return ResponseEntity.accepted()
                .location(URI.create(Answers.location(orderId) + "/refunds/" + terms.refundNo()))
                .body(existing(orderId, terms.refundNo(), merchant));
    }

    @GetMapping("/{refundNo}")
    @Call("Reads a refund")
    @PreAuthorize("hasAuthority('SCOPE_orders:read')")
    RefundView find(@PathVariable UUID orderId, @PathVariable String refundNo, Caller caller) {
        return existing(orderId, refundNo, caller.merchant());
    }

    private RefundView existing(UUID orderId, String refundNo, String merchant) {
        return views.refund(orderId, refundNo, merchant)
                .orElseThrow(() -> Problem.notFound("Refund " + refundNo + " of order " + orderId));
    }
}
