package dev.paysaga.order;

import dev.paysaga.order.OrderDesk.Placement;
import dev.paysaga.order.domain.OrderRequest;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.Outcome;
import dev.paysaga.order.domain.Terms;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.InvalidRequest;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. What is asked for is accepted; what becomes of it is read with GET, or waited for ({@link PreferWait}). */
@RestController
@RequestMapping("/v1/orders")
class OrderApi {

    private static final String MAY_WRITE = "hasAuthority('SCOPE_orders:write')";
    private static final String MAY_READ = "hasAuthority('SCOPE_orders:read')";

    private static final int LONGEST_PAGE = 100;

    private final OrderDesk desk;
    private final OrderViews views;

    OrderApi(OrderDesk desk, OrderViews views) {
        this.desk = desk;
        this.views = views;
    }

    @PostMapping
    @PreAuthorize(MAY_WRITE)
    @Call(
            value = "Places an order",
            answers = {201, 202},
            refuses = {"402 payment-declined", "409 out-of-stock", "409 order-canceled", "409 out-trade-no-conflict"},
            optional = {"amount", "notifyUrl"},
            headers =
                    "Prefer: wait=N waits up to N seconds, at most 30, for the outcome and answers it: 201, 402 or 409")
    ResponseEntity<OrderView> place(@RequestBody OrderRequest request, Caller caller) {
        Terms terms = Answers.valid(request.check(caller.merchant()));
        Placement placement = desk.place(terms);
        return switch (placement.outcome()) {
            case Outcome.Accepted(var decision)
            when placement.at() != null -> accepted(OrderView.placed(decision.order(), placement.at()));
            case Outcome.Accepted(var decision) ->
                accepted(existing(decision.order().orderId(), terms.merchantId()));
            case Outcome.Repeated(var order) -> accepted(existing(order.orderId(), terms.merchantId()));
            case Outcome.Refused refused -> throw Answers.refused(refused);
        };
    }

    @PostMapping("/{orderId}/cancel")
    @PreAuthorize(MAY_WRITE)
    @Call(value = "Cancels an order that is not confirmed yet", answers = 202, refuses = "409 order-not-cancelable")
    ResponseEntity<OrderView> cancel(@PathVariable UUID orderId, Caller caller) {
        Outcome outcome = desk.cancel(orderId, caller.merchant()).orElseThrow(() -> Answers.noSuchOrder(orderId));
        if (outcome instanceof Outcome.Refused refused) {
            throw Answers.refused(refused).with("orderId", orderId);
        }
        return accepted(existing(orderId, caller.merchant()));
    }

    @GetMapping("/{orderId}")
    @PreAuthorize(MAY_READ)
    @Call("Reads an order")
    OrderView find(@PathVariable UUID orderId, Caller caller) {
        return existing(orderId, caller.merchant());
    }

    @GetMapping("/{orderId}/history")
    @PreAuthorize(MAY_READ)
    @Call("Reads what happened to an order, oldest first")
    OrderView.History history(@PathVariable UUID orderId, Caller caller) {
        return new OrderView.History(existing(orderId, caller.merchant()).orderId(), views.history(orderId));
    }

    /**
     * The caller's orders, newest first.
     *
     * @param outTradeNo only the one with this number of the merchant's
     * @param status only those in this state
     * @param after the {@code next} of the page before
     * @param limit how many at most, up to 100
     */
    @GetMapping
    @PreAuthorize(MAY_READ)
    @Call("Lists orders, newest first; after takes the next of the page before")
    OrderView.Page list(
            @RequestParam(required = false) @Nullable String outTradeNo,
            @RequestParam(required = false) @Nullable String status,
            @RequestParam(required = false) @Nullable UUID after,
            @RequestParam(defaultValue = "20") int limit,
            Caller caller) {
        String merchant = caller.merchant();
        @Nullable OrderStatus only = status == null ? null : status(status);
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new InvalidRequest("limit", "must be from 1 to " + LONGEST_PAGE);
        }
        if (outTradeNo != null) {
            return new OrderView.Page(
                    views.find(outTradeNo, merchant).stream()
                            .filter(order -> only == null || order.status().equals(only.name()))
                            .toList(),
                    null);
        }
        List<OrderView> oneMore = views.list(merchant, only, after, limit + 1);
        return oneMore.size() <= limit
                ? new OrderView.Page(oneMore, null)
                : new OrderView.Page(
                        oneMore.subList(0, limit), oneMore.get(limit - 1).orderId());
    }

    private OrderView existing(UUID orderId, String merchant) {
        return views.find(orderId, merchant).orElseThrow(() -> Answers.noSuchOrder(orderId));
    }

    private static ResponseEntity<OrderView> accepted(OrderView order) {
        return ResponseEntity.accepted()
                .location(Answers.location(order.orderId()))
                .body(order);
    }

    private static OrderStatus status(String name) {
        return Arrays.stream(OrderStatus.values())
                .filter(status -> status != OrderStatus.UNSEEN && status.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidRequest(
                        "status",
                        Arrays.stream(OrderStatus.values())
                                .filter(status -> status != OrderStatus.UNSEEN)
                                .map(OrderStatus::name)
                                .collect(Collectors.joining(", ", "must be one of ", ""))));
    }
}
