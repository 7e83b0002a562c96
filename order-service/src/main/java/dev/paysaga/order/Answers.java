package dev.paysaga.order;

import dev.paysaga.order.domain.Checked;
import dev.paysaga.order.domain.Checked.Invalid;
import dev.paysaga.order.domain.Checked.Valid;
import dev.paysaga.order.domain.Outcome;
import dev.paysaga.order.domain.Refusal;
import dev.paysaga.saga.web.FieldError;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.web.Problem;
import java.net.URI;
import java.util.Locale;
import java.util.UUID;
import org.springframework.http.HttpStatus;

/** What decisions are in the words of HTTP. */
final class Answers {

    private Answers() {}

    /** @throws InvalidRequest with all that is wrong, by field */
    static <T> T valid(Checked<T> checked) {
        return switch (checked) {
            case Valid<T>(T value) -> value;
            case Invalid<T> invalid ->
                throw new InvalidRequest(invalid.faults().stream()
                        .map(fault -> new FieldError(fault.field(), fault.message()))
                        .toList());
        };
    }

    static Problem refused(Outcome.Refused refused) {
        return Problem.of(status(refused.refusal()), slug(refused.refusal()), refused.detail());
    }

    static Problem noSuchOrder(UUID orderId) {
        return Problem.notFound("Order " + orderId);
    }

    static URI location(UUID orderId) {
        return URI.create("/v1/orders/" + orderId);
    }

    /** A conflict with what is there is 409; what would be too much, were everything else right, is 422. */
    private static HttpStatus status(Refusal refusal) {
        return switch (refusal) {
            case OUT_TRADE_NO_CONFLICT, ORDER_NOT_CANCELABLE, ORDER_NOT_REFUNDABLE, REFUND_NO_CONFLICT ->
                HttpStatus.CONFLICT;
            case REFUND_EXCEEDS_CAPTURED, RESTOCK_EXCEEDS_COMMITTED -> HttpStatus.UNPROCESSABLE_CONTENT;
        };
    }

    private static String slug(Refusal refusal) {
        return refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
