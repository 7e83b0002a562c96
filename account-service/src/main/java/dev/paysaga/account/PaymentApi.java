package dev.paysaga.account;

import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Terms;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.Problem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** How the money of a merchant's orders stands. */
@RestController
class PaymentApi {

    private final PaymentStore store;

    PaymentApi(PaymentStore store) {
        this.store = store;
    }

    @GetMapping("/v1/payments/{orderId}")
    @Call("Reads how the money of an order stands")
    @PreAuthorize("hasAuthority('SCOPE_accounts:read')")
    PaymentView get(@PathVariable UUID orderId, Caller caller) {
        return store.find(orderId, caller.merchant())
                .map(PaymentView::of)
                .orElseThrow(() -> Problem.notFound("The payment of order " + orderId));
    }

    /**
     * A payment, as shown; money in minor units.
     *
     * @param payerAccountId null for a payment that was refused in advance, as are currency and amount
     * @param reason why it was declined; null if it was not
     */
    record PaymentView(
            UUID orderId,
            String status,
            @Nullable String reason,
            @Nullable String payerAccountId,
            @Nullable String currency,
            @Nullable Long amount,
            long refundedAmount,
            List<RefundView> refunds,
            int version) {

        static PaymentView of(Payment payment) {
            Terms terms = payment.terms();
            return new PaymentView(
                    payment.orderId(),
                    payment.status().name(),
                    payment.reason(),
                    terms == null
                            ? null
                            : terms.payerAccount()
                                    .substring(payment.merchantId().length() + 1),
                    terms == null ? null : terms.currency(),
                    terms == null ? null : terms.amount(),
                    payment.refundedAmount(),
                    payment.refunds().stream().map(RefundView::of).toList(),
                    payment.version());
        }
    }

    /** @param nextAttemptAt when a refused refund is tried again; null if it is not */
    record RefundView(
            String refundNo,
            long amount,
            String status,
            int attempts,
            @Nullable Instant nextAttemptAt,
            @Nullable String reason) {

        static RefundView of(PaymentRefund refund) {
            return new RefundView(
                    refund.refundNo(),
                    refund.amount(),
                    refund.status().name(),
                    refund.attempts(),
                    refund.nextAttemptAt(),
                    refund.reason());
        }
    }
}
