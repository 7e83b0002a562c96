package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.saga.inbox.Reactor;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.testkit.Records;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.wire.ConfluentWire;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** What a person on call asks and decides over HTTP. */
class OpsIT extends OnRealServers {

    @Autowired
    private Reactor<?> reactor;

    @Autowired
    private ParkedEvents parkedEvents;

    @Autowired
    private ConfluentWire wire;

    @Test
    void aSuspendedRefundIsListedAndPaidOutOnce() {
        UUID order = suspendedRefund();
        UUID workOrder = openWorkOrders(order).getFirst();

        get(OPS, "/v1/work-orders?status=OPEN&kind=REFUND_SUSPENDED&limit=200")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.workOrders[?(@.id == '" + workOrder + "')].amount")
                .isEqualTo(100);
        resolve(workOrder, "{'action': 'PAY_OUT', 'note': 'by bank', 'amount': 100, 'refundNo': 'F1'}")
                .expectStatus()
                .isOk()
                .expectBody()
                .json("""
                        {"id": "%s", "status": "RESOLVED", "action": "PAY_OUT", "actor": "operator", "note": "by bank"}
                        """.formatted(workOrder));
        resolve(workOrder, "{'action': 'PAY_OUT'}").expectStatus().isOk();

        assertThat(transfers(order)).containsExactly("HOLD", "CAPTURE", "SUSPEND", "PAY_OUT");
        assertThat(said(order)).endsWith("RefundCompleted", "WorkOrderResolved");
        assertProblem(resolve(workOrder, "{'action': 'RETURN'}"), 409, "work-order-resolved");
        assertTheBooksBalance();
    }

    @Test
    void whatDoesNotFitTheWorkOrderIsRefusedAndChangesNothing() {
        UUID order = suspendedRefund();
        UUID workOrder = openWorkOrders(order).getFirst();
        List<String> before = said(order);

        assertProblem(resolve(workOrder, "{'action': 'PAY_OUT', 'amount': 99}"), 422, "resolution-impossible");
        assertProblem(resolve(workOrder, "{'action': 'PAY_OUT', 'refundNo': 'F2'}"), 422, "resolution-impossible");
        assertProblem(resolve(workOrder, "{'action': 'RESEND'}"), 422, "resolution-impossible");
        assertProblem(resolve(workOrder, "{'action': 'WRITE_OFF'}"), 422, "resolution-impossible");
        // the wallet is still blocked
        assertProblem(resolve(workOrder, "{'action': 'RETRY'}"), 409, "resolution-refused");
        assertProblem(resolve(workOrder, "{'note': 'no action'}"), 400, "invalid-request");
        assertProblem(resolve(UUID.randomUUID(), "{'action': 'RETRY'}"), 404, "not-found");

        assertThat(openWorkOrders(order)).containsExactly(workOrder);
        assertThat(said(order)).isEqualTo(before);
        unblock("w").expectStatus().isOk();
        resolve(workOrder, "{'action': 'RETRY'}").expectStatus().isOk();
        assertThat(openWorkOrders(order)).isEmpty();
        assertTheBooksBalance();
    }

    @Test
    void twoDecisionsAtOnceAreOneDecision() throws Exception {
        UUID order = suspendedRefund();
        UUID workOrder = openWorkOrders(order).getFirst();

        List<Integer> answers = atOnce(List.of(
                () -> status(resolve(workOrder, "{'action': 'PAY_OUT'}")),
                () -> status(resolve(workOrder, "{'action': 'RETURN'}"))));

        assertThat(answers).containsExactlyInAnyOrder(200, 409);
        assertThat(transfers(order)).hasSize(4).startsWith("HOLD", "CAPTURE", "SUSPEND");
        assertTheBooksBalance();
    }

    @Test
    void aParkedEventIsRedrivenWithWhatWaitsBehindItOnceItsCauseIsGone() {
        openAccounts("EUR", 1000);
        UUID order = newOrder();
        var records = new Records(wire, new PaymentSaga());
        // confirmed before it was seen, which cannot be; then a repetition behind it
        reactor.handle(List.of(
                records.of(newOrder(), new OrderConfirmed(order, merchant)),
                records.of(newOrder(), new OrderConfirmed(order, merchant))));
        UUID first = parked(order, "PARKED");
        UUID second = parked(order, "QUEUED");

        get(OPS, "/v1/parked-events?status=PARKED&limit=200")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.parkedEvents[?(@.key == '" + order + "')].id")
                .isEqualTo(first.toString());
        assertThat(said(order)).containsExactly("WorkOrderOpened");
        assertThat(announcedAbout(first)).containsExactly("EventParked");
        assertProblem(post(OPS, "/v1/parked-events/" + second + "/redrive", "{}"), 409, "parked-event-not-first");
        assertProblem(post(OPS, "/v1/parked-events/" + first + "/redrive", "{}"), 409, "event-still-parked");
        UUID workOrder = openWorkOrders(order).getFirst();
        assertProblem(resolve(workOrder, "{'action': 'WRITE_OFF'}"), 409, "resolution-refused");
        assertProblem(resolve(workOrder, "{'action': 'PAY_OUT'}"), 422, "resolution-impossible");

        poll(reserved(order, "EUR", 300));
        post(OPS, "/v1/parked-events/" + first + "/redrive", "{}")
                .expectStatus()
                .isOk()
                .expectBody()
                .json("{\"handled\": 2, \"parkedEvent\": {\"status\": \"REDRIVEN\"}}");
        post(OPS, "/v1/parked-events/" + first + "/redrive", "{}")
                .expectStatus()
                .isOk();
        assertProblem(post(OPS, "/v1/parked-events/" + first + "/skip", "{}"), 409, "parked-event-closed");

        assertThat(transfers(order)).containsExactly("HOLD", "CAPTURE");
        assertThat(openWorkOrders(order)).isEmpty();
        assertThat(said(order)).contains("PaymentCaptured", "WorkOrderResolved");
        assertThat(jdbc.sql("select actor from work_orders where id = ?")
                        .param(workOrder)
                        .query(String.class)
                        .single())
                .isEqualTo("operator");
    }

    @Test
    void afterASkipTheWorkOrderStaysOpenUntilAPersonClosesIt() {
        UUID order = newOrder();
        var records = new Records(wire, new PaymentSaga());
        var confirmed = records.of(newOrder(), new OrderConfirmed(order, merchant));
        reactor.handle(List.of(confirmed));
        UUID event = parked(order, "PARKED");

        post(OPS, "/v1/parked-events/" + event + "/skip", "{}").expectStatus().isOk();
        post(OPS, "/v1/parked-events/" + event + "/skip", "{}").expectStatus().isOk();
        reactor.handle(List.of(confirmed));

        UUID workOrder = openWorkOrders(order).getFirst();
        jdbc.sql("update parked_events set closed_at = now() - interval '40 days' where id = ?")
                .param(event)
                .update();
        parkedEvents.purge(Duration.ofDays(30));
        get(OPS, "/v1/parked-events?status=SKIPPED&limit=200")
                .expectBody()
                .jsonPath("$.parkedEvents[?(@.id == '" + event + "')].status")
                .isEqualTo("SKIPPED");
        resolve(workOrder, "{'action': 'WRITE_OFF', 'note': 'canceled by hand'}")
                .expectStatus()
                .isOk();
        assertThat(openWorkOrders(order)).isEmpty();
        assertThat(said(order)).containsExactly("WorkOrderOpened", "WorkOrderResolved");
        parkedEvents.purge(Duration.ofDays(30));
        assertProblem(post(OPS, "/v1/parked-events/" + event + "/skip", "{}"), 404, "not-found");
    }

    @Test
    void aHoldThatSettlesAfterAllClosesItsWorkOrderByItself() {
        openAccounts("EUR", 1000);
        UUID captured = newOrder();
        UUID voided = newOrder();
        poll(reserved(captured, "EUR", 300), reserved(voided, "EUR", 300));
        while (dueWork.reportOverdueHolds() > 0) {
            // others' holds are overdue, too
        }
        assertThat(openWorkOrders(captured)).hasSize(1);

        poll(new OrderConfirmed(captured, merchant), new OrderCanceled(voided, merchant, "TIMED_OUT"));

        assertThat(openWorkOrders(captured)).isEmpty();
        assertThat(openWorkOrders(voided)).isEmpty();
        assertThat(said(captured)).endsWith("PaymentCaptured", "WorkOrderResolved");
        assertThat(jdbc.sql("select action || ' ' || actor from work_orders where aggregate_id = ?")
                        .param(voided)
                        .query(String.class)
                        .single())
                .isEqualTo("SETTLED account");
    }

    @Test
    void onlyOperatorsLookAndDecide() {
        String other = TestTokens.token(merchant, "accounts:write", "orders:write");
        get(other, "/v1/work-orders").expectStatus().isForbidden();
        get(other, "/v1/parked-events").expectStatus().isForbidden();
        post(other, "/v1/work-orders/" + UUID.randomUUID() + "/resolution", "{'action': 'RETRY'}")
                .expectStatus()
                .isForbidden();
        post(other, "/v1/parked-events/" + UUID.randomUUID() + "/skip", "{}")
                .expectStatus()
                .isForbidden();
        assertProblem(get(OPS, "/v1/work-orders?status=DONE"), 400, "invalid-request");
        assertProblem(get(OPS, "/v1/parked-events?limit=0"), 400, "invalid-request");
        assertProblem(get(OPS, "/v1/work-orders?after=7"), 400, "invalid-request");
    }

    private UUID suspendedRefund() {
        openAccounts("EUR", 1000);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 300));
        poll(new OrderConfirmed(order, merchant));
        block("w").expectStatus().isOk();
        poll(refund(order, "F1", "EUR", 100));
        while (openWorkOrders(order).isEmpty()) {
            dueWork.tryDueRefunds();
        }
        return order;
    }

    private ResponseSpec resolve(UUID workOrder, String decision) {
        return post(OPS, "/v1/work-orders/" + workOrder + "/resolution", decision);
    }

    private UUID parked(UUID order, String status) {
        return jdbc.sql("select id from parked_events where key = ? and status = ?")
                .params(order.toString(), status)
                .query(UUID.class)
                .single();
    }

    private List<String> said(UUID order) {
        return announcedAbout(order);
    }

    private List<String> announcedAbout(UUID key) {
        return jdbc.sql("select event_type from outbox where aggregate_id = ? order by seq")
                .param(key.toString())
                .query((row, n) -> row.getString(1).substring(row.getString(1).lastIndexOf('.') + 1))
                .list();
    }

    private static int status(ResponseSpec response) {
        return response.returnResult(byte[].class).getStatus().value();
    }

    private static void assertProblem(ResponseSpec response, int status, String slug) {
        response.expectStatus()
                .isEqualTo(status)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:paysaga:problem:" + slug);
    }
}
