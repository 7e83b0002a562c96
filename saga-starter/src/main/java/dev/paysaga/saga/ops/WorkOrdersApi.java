package dev.paysaga.saga.ops;

import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.FieldError;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrder.Status;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.Operations.Where;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What this service asks a person, and the person's answers. */
@RestController
@RequestMapping(path = "/v1/work-orders", produces = MediaType.APPLICATION_JSON_VALUE)
class WorkOrdersApi {

    private static final String OPS = "hasAuthority('SCOPE_ops')";

    /** A note is a sentence or two; events and headers have room for it. */
    private static final int LONGEST_NOTE = 1000;

    private final WorkOrders orders;
    private final WorkOrderDesk desk;

    WorkOrdersApi(WorkOrders orders, WorkOrderDesk desk) {
        this.orders = orders;
        this.desk = desk;
    }

    /** Oldest first; {@code after} is the id the page before ended with. */
    @GetMapping
    @PreAuthorize(OPS)
    @Call("Lists work orders, oldest first")
    Page list(
            @RequestParam @Nullable String status,
            @RequestParam @Nullable String kind,
            @RequestParam @Nullable UUID after,
            @RequestParam(defaultValue = "50") int limit) {
        List<WorkOrder> found = orders.list(Paging.status(status, Status.class), kind, after, Paging.limit(limit) + 1);
        return new Page(found.stream().limit(limit).map(View::of).toList(), found.size() > limit);
    }

    /** Carries a decision out, once, in the name of the token's subject. */
    @PostMapping("/{id}/resolution")
    @PreAuthorize(OPS)
    @Call(
            value = "Carries a person's decision about a work order out, once",
            refuses = {"409 resolution-refused", "409 work-order-resolved", "422 resolution-impossible"},
            optional = {"refundNo", "amount", "note", "account", "side", "currency"})
    View resolve(@PathVariable UUID id, @RequestBody Decision decision, Caller caller) {
        Action action = decision.action();
        if (action == null) {
            throw new InvalidRequest(
                    "action", "must be one of RETRY, PAY_OUT, RETURN, RESEND, WRITE_OFF, POST_TO_SUSPENSE");
        }
        decision.check(action);
        if (decision.note() != null && decision.note().length() > LONGEST_NOTE) {
            throw new InvalidRequest("note", "must be at most " + LONGEST_NOTE + " characters");
        }
        return View.of(desk.resolve(
                id,
                new WorkOrderDesk.Wish(
                        action.name(),
                        decision.refundNo(),
                        decision.amount(),
                        decision.note(),
                        decision.where(),
                        caller.subject())));
    }

    /** What a person may decide; which of them fits is up to the kind of work order. */
    enum Action {
        RETRY,
        PAY_OUT,
        RETURN,
        RESEND,
        WRITE_OFF,
        POST_TO_SUSPENSE
    }

    /** Whose account it is, of the two that an order has. */
    enum Side {
        PAYER,
        MERCHANT
    }

    /**
     * A person's decision.
     *
     * @param refundNo if given, must be the work order's
     * @param amount in minor units; if given, must be the work order's. With POST_TO_SUSPENSE: what the account holds too much,
     *     negative for what it lacks
     * @param note why, in the person's own words
     * @param account merchantId/accountId, with PAY_OUT (null for outside the ledger) or POST_TO_SUSPENSE
     * @param side with POST_TO_SUSPENSE, instead of an account: that of the order
     * @param currency ISO 4217 code of the account, with POST_TO_SUSPENSE
     */
    record Decision(
            @Nullable Action action,
            @Nullable String refundNo,
            @Nullable Long amount,
            @Nullable String note,
            @Nullable String account,
            @Nullable Side side,
            @Nullable String currency) {

        void check(Action action) {
            var errors = new ArrayList<FieldError>();
            boolean posts = action == Action.POST_TO_SUSPENSE;
            if (posts && (amount == null || amount == 0 || amount == Long.MIN_VALUE)) {
                errors.add(new FieldError(
                        "amount", "must say what the account holds too much, in minor units, or lacks, if negative"));
            }
            if (posts && (currency == null || !currency.matches("[A-Z]{3}"))) {
                errors.add(new FieldError("currency", "must be the account's ISO 4217 code, such as EUR"));
            }
            if (posts && (account == null) == (side == null)) {
                errors.add(
                        new FieldError("account", "must name the account as merchantId/accountId, unless side does"));
            }
            if (account != null && !account.matches(".+/[^/]+")) {
                errors.add(new FieldError("account", "must be merchantId/accountId"));
            }
            if (account != null && !posts && action != Action.PAY_OUT) {
                errors.add(new FieldError("account", "goes with PAY_OUT and POST_TO_SUSPENSE only"));
            }
            if (!posts && side != null) {
                errors.add(new FieldError("side", "goes with POST_TO_SUSPENSE only"));
            }
            if (!posts && currency != null) {
                errors.add(new FieldError("currency", "goes with POST_TO_SUSPENSE only"));
            }
            if (!errors.isEmpty()) {
                throw new InvalidRequest(errors);
            }
        }

        Where where() {
            return new Where(account, side == null ? null : side.name(), currency);
        }
    }

    /** @param hasMore whether there is another page after the last of these */
    record Page(List<View> workOrders, boolean hasMore) {}

    /** A work order, as shown; the last four are null while it is open. */
    record View(
            UUID id,
            String kind,
            UUID aggregateId,
            @Nullable String merchantId,
            @Nullable String refundNo,
            @Nullable String currency,
            @Nullable Long amount,
            String detail,
            Status status,
            @Nullable Instant openedAt,
            @Nullable String action,
            @Nullable String actor,
            @Nullable String note,
            @Nullable Instant resolvedAt) {

        static View of(WorkOrder order) {
            WorkOrder.Resolution how = order.resolution();
            return new View(
                    order.id(),
                    order.kind(),
                    order.aggregateId(),
                    order.merchantId(),
                    order.refundNo(),
                    order.currency(),
                    order.amount(),
                    order.detail(),
                    order.status(),
                    order.openedAt(),
                    how == null ? null : how.action(),
                    how == null ? null : how.actor(),
                    how == null ? null : how.note(),
                    how == null ? null : how.resolvedAt());
        }
    }
}
