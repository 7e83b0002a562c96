package dev.paysaga.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRejected;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.order.domain.Reactions;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.saga.inbox.ReceivedEvent;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service on a real database, by HTTP and by polls of events. Every test has a merchant of its own. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"saga.consumer.enabled=false", "order.deadlines.poll=50ms"})
class OrderServiceIT {

    /** Long enough for a loaded machine; what is awaited usually takes milliseconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String TWO_TEAS = """
            {"outTradeNo": "T-1", "payerAccountId": "wallet-1", "currency": "EUR",
             "lines": [{"sku": "tea", "quantity": 2, "unitPrice": 300}]}
            """;

    @Autowired
    private OrderParticipant participant;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private OrderStore store;

    @Autowired
    private OrderMeters orderMeters;

    @Autowired
    private MeterRegistry meters;

    @LocalServerPort
    private int port;

    private final String merchant = "m-" + UUID.randomUUID();
    private final HttpClient http = HttpClient.newHttpClient();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("order").forEach((name, value) -> registry.add(name, () -> value));
    }

    @Test
    void anOrderIsAcceptedStoredAndAnnouncedOnce() throws Exception {
        var answer = post("/v1/orders", TWO_TEAS);

        JsonNode order = json(answer);
        UUID id = UUID.fromString(order.get("orderId").asString());
        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.headers().firstValue("Location")).contains("/v1/orders/" + id);
        assertThat(id.version()).isEqualTo(7);
        assertThat(order.propertyNames())
                .containsExactly(
                        "orderId",
                        "merchantId",
                        "outTradeNo",
                        "status",
                        "reason",
                        "currency",
                        "amount",
                        "refundedAmount",
                        "lines",
                        "createdAt",
                        "updatedAt",
                        "version");
        assertThat(order.get("status").asString()).isEqualTo("CREATED");
        assertThat(order.get("amount").asLong()).isEqualTo(600);
        assertThat(order.get("reason").isNull()).isTrue();
        assertThat(announced(id)).containsExactly("OrderPlaced");
        assertThat(outboxIds(id)).containsExactly(EventIds.derive(id, "order", "OrderPlaced", 0));
        assertThat(history(id)).containsExactly("UNSEEN>CREATED v1");
        assertThat(json(get("/v1/orders/" + id))).isEqualTo(order);
    }

    @Test
    void theStatementListsOrdersAndRefundsAsTheyAreStored() throws Exception {
        UUID id = paid();
        post("/v1/orders/" + id + "/refunds", "{\"refundNo\": \"R1\", \"amount\": 300}");

        JsonNode statement = json(send("GET", "/v1/statement", null, TestTokens.operatorToken("ops"), Map.of()));

        assertThat(statement.path("orders").valueStream())
                .filteredOn(order -> order.path("orderId").asString().equals(id.toString()))
                .singleElement()
                .satisfies(order -> {
                    assertThat(order.path("state").asInt()).isEqualTo(60);
                    assertThat(order.path("paymentCaptured").asBoolean()).isTrue();
                    assertThat(order.path("lines").path(0).path("quantity").asLong())
                            .isEqualTo(2);
                });
        assertThat(statement.path("refunds").valueStream())
                .filteredOn(refund -> refund.path("orderId").asString().equals(id.toString()))
                .singleElement()
                .satisfies(refund -> assertThat(refund.path("amount").asLong() + " " + refund.path("state"))
                        .isEqualTo("300 1"));
        assertThat(statement.path("complete").asBoolean()).isTrue();
    }

    @Test
    void fiveEqualPostsAtOnceAreOneOrder() throws Exception {
        var answers = atOnce(5, () -> post("/v1/orders", TWO_TEAS));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(202));
        var ids = new HashSet<String>();
        answers.forEach(answer -> ids.add(json(answer).get("orderId").asString()));
        assertThat(ids).hasSize(1);
        assertThat(announced(UUID.fromString(ids.iterator().next()))).containsExactly("OrderPlaced");
    }

    @Test
    void theSameNumberWithOtherContentIsRefusedAndTheFirstStays() throws Exception {
        UUID first = place();

        var other = post("/v1/orders", TWO_TEAS.replace("300", "301"));
        var same = post("/v1/orders", TWO_TEAS);

        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(json(other).get("type").asString()).isEqualTo("urn:paysaga:problem:out-trade-no-conflict");
        assertThat(json(same).get("orderId").asString()).isEqualTo(first.toString());
        assertThat(json(same).get("amount").asLong()).isEqualTo(600);
    }

    @Test
    void senselessRequestsAreRefusedByField() throws Exception {
        assertThat(errors(post(
                        "/v1/orders", TWO_TEAS.replace("EUR", "EURO").replace("\"quantity\": 2", "\"quantity\": 0"))))
                .containsExactly("currency", "lines[0].quantity");
        assertThat(errors(post("/v1/orders", TWO_TEAS.replace("300", "3.5")))).containsExactly("lines[0].unitPrice");
        assertThat(errors(post("/v1/orders", TWO_TEAS.replace("300", "\"300\""))))
                .containsExactly("lines[0].unitPrice");
        assertThat(errors(post("/v1/orders", TWO_TEAS.replace("300", "9223372036854775807"))))
                .containsExactly("lines");
        assertThat(errors(post("/v1/orders", "{}")))
                .containsExactly("outTradeNo", "payerAccountId", "currency", "lines");
        assertThat(jdbc.sql("select count(*) from orders where merchant_id = ?")
                        .param(merchant)
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void nobodySeesAnotherMerchantsOrder() throws Exception {
        UUID id = place();
        String stranger = TestTokens.token("m-" + UUID.randomUUID(), "orders:read", "orders:write");

        assertThat(send("GET", "/v1/orders/" + id, null, stranger, Map.of()).statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/v1/orders/" + id + "/history", null, stranger, Map.of())
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("POST", "/v1/orders/" + id + "/cancel", "{}", stranger, Map.of())
                        .statusCode())
                .isEqualTo(404);
        assertThat(send(
                                "POST",
                                "/v1/orders/" + id + "/refunds",
                                "{\"refundNo\": \"R1\", \"amount\": 1}",
                                stranger,
                                Map.of())
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/v1/orders?outTradeNo=T-1", null, stranger, Map.of())
                        .body())
                .contains("\"orders\":[]");
        assertThat(send("GET", "/v1/orders/" + id, null, TestTokens.token(merchant, "stock:write"), Map.of())
                        .statusCode())
                .isEqualTo(403);
        assertThat(state(id)).isEqualTo(10);
    }

    @Test
    void pagesFollowEachOtherWhileOrdersKeepComing() throws Exception {
        var placed = new ArrayList<String>();
        for (int i = 1; i <= 5; i++) {
            placed.addFirst(json(post("/v1/orders", TWO_TEAS.replace("T-1", "P-" + i)))
                    .get("orderId")
                    .asString());
        }

        JsonNode first = json(get("/v1/orders?limit=2"));
        post("/v1/orders", TWO_TEAS.replace("T-1", "P-6"));
        JsonNode second = json(get(
                "/v1/orders?limit=2&status=CREATED&after=" + first.get("next").asString()));
        JsonNode third =
                json(get("/v1/orders?limit=2&after=" + second.get("next").asString()));

        assertThat(ids(first)).isEqualTo(placed.subList(0, 2));
        assertThat(ids(second)).isEqualTo(placed.subList(2, 4));
        assertThat(ids(third)).isEqualTo(placed.subList(4, 5));
        assertThat(third.get("next").isNull()).isTrue();
        assertThat(ids(json(get("/v1/orders?status=PAID")))).isEmpty();
        assertThat(ids(json(get("/v1/orders?outTradeNo=P-1")))).containsExactly(placed.getLast());
        assertThat(errors(get("/v1/orders?limit=101"))).containsExactly("limit");
        assertThat(errors(get("/v1/orders?status=UNSEEN"))).containsExactly("status");
        assertThat(errors(get("/v1/orders?after=1"))).containsExactly("after");
    }

    @Test
    void aSagaInOnePollIsDecidedInItsOrder() throws Exception {
        UUID id = place();

        assertThat(poll(
                        reserved(id),
                        new PaymentAuthorized(id, merchant, "EUR", 600L),
                        new StockCommitted(id, merchant),
                        new PaymentCaptured(id, merchant, "EUR", 600L)))
                .containsExactly("OrderConfirmed", "OrderPaid");

        assertThat(state(id)).isEqualTo(40);
        assertThat(history(id))
                .containsExactly(
                        "UNSEEN>CREATED v1",
                        "CREATED>STOCK_RESERVED v2",
                        "STOCK_RESERVED>CONFIRMED v3",
                        "CONFIRMED>CONFIRMED v4",
                        "CONFIRMED>PAID v5");
        assertThat(deadline(id)).isNull();
    }

    @Test
    void manyOrdersInOnePollAreDecidedEachForItself() throws Exception {
        UUID paid = place("T-1");
        UUID refused = place("T-2");
        UUID waiting = place("T-3");

        assertThat(poll(
                        reserved(paid),
                        new StockRejected(refused, merchant, "OUT_OF_STOCK", "tea"),
                        new PaymentAuthorized(paid, merchant, "EUR", 600L),
                        reserved(waiting)))
                .containsExactly("OrderCanceled", "OrderConfirmed");

        assertThat(List.of(state(paid), state(refused), state(waiting))).containsExactly(30, 50, 20);
    }

    @Test
    void whoDecidesUponAnOldVersionIsRefused() throws Exception {
        UUID id = place();
        LockedOrders old = transaction.execute(status -> store.lock(id));
        old.keep(
                EventIds.next(System.currentTimeMillis()),
                Reactions.timeOut(old.find(id).orElseThrow()));

        poll(new PaymentAuthorized(id, merchant, "EUR", 600L));

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> store.save(old)))
                .isInstanceOf(OptimisticLockingFailureException.class);
        assertThat(state(id)).isEqualTo(30);
    }

    @Test
    void anEventOfAnOrderThatDoesNotExistIsImpossible() {
        assertThatThrownBy(() -> poll(reserved(EventIds.next(System.currentTimeMillis()))))
                .isInstanceOf(ImpossibleTransition.class);
    }

    @Test
    void aMerchantCancelsUntilTheOrderIsConfirmed() throws Exception {
        UUID id = place("T-1");
        UUID confirmed = place("T-2");
        poll(new PaymentAuthorized(confirmed, merchant, "EUR", 600L));

        var canceled = post("/v1/orders/" + id + "/cancel", "{}");
        var again = post("/v1/orders/" + id + "/cancel", "{}");
        var refused = post("/v1/orders/" + confirmed + "/cancel", "{}");

        assertThat(canceled.statusCode()).isEqualTo(202);
        assertThat(json(canceled).get("status").asString()).isEqualTo("CANCELING");
        assertThat(json(canceled).get("reason").asString()).isEqualTo("CANCELED_BY_MERCHANT");
        assertThat(again.statusCode()).isEqualTo(202);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(json(refused).get("type").asString()).isEqualTo("urn:paysaga:problem:order-not-cancelable");
        assertThat(announced(id)).containsExactly("OrderPlaced", "OrderCanceled");

        assertThat(poll(
                        new StockReleased(id, merchant, "REFUSED_IN_ADVANCE", "ORDER_CANCELED"),
                        new PaymentVoided(id, merchant, "REFUSED_IN_ADVANCE")))
                .containsExactly("OrderClosed");
        assertThat(state(id)).isEqualTo(51);
    }

    @Test
    void refundsAreBoundedRepeatedAndSettled() throws Exception {
        UUID id = paid();
        String refunds = "/v1/orders/" + id + "/refunds";
        String half =
                "{\"refundNo\": \"R1\", \"amount\": 300, \"reason\": \"cold\", \"restock\": [{\"sku\": \"tea\", \"quantity\": 1}]}";

        var accepted = post(refunds, half);
        var again = post(refunds, half);

        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(accepted.headers().firstValue("Location")).contains(refunds + "/R1");
        assertThat(json(accepted).get("status").asString()).isEqualTo("REQUESTED");
        assertThat(json(again)).isEqualTo(json(accepted));
        assertThat(announced(id)).filteredOn("RefundRequested"::equals).hasSize(1);
        assertThat(problem(post(refunds, half.replace("300", "299")))).isEqualTo("409 refund-no-conflict");
        assertThat(problem(post(refunds, "{\"refundNo\": \"R2\", \"amount\": 301}")))
                .isEqualTo("422 refund-exceeds-captured");
        assertThat(problem(post(refunds, half.replace("R1", "R2").replace("\"quantity\": 1", "\"quantity\": 2"))))
                .isEqualTo("422 restock-exceeds-committed");

        poll(new RefundSuspended(id, merchant, "R1", "EUR", 300L, "ACCOUNT_BLOCKED"));
        assertThat(json(get(refunds + "/R1")).get("failure").asString()).isEqualTo("ACCOUNT_BLOCKED");
        assertThat(state(id)).isEqualTo(60);
        assertThat(deadline(id)).as("a person has been told").isNull();

        assertThat(poll(new RefundCompleted(id, merchant, "R1", "EUR", 300L, List.of())))
                .containsExactly("OrderRefunded");
        assertThat(json(get(refunds + "/R1")).get("status").asString()).isEqualTo("COMPLETED");
        JsonNode order = json(get("/v1/orders/" + id));
        assertThat(order.get("status").asString()).isEqualTo("PARTIALLY_REFUNDED");
        assertThat(order.get("refundedAmount").asLong()).isEqualTo(300);
        assertThat(jdbc.sql("select from_state, to_state from refund_events where order_id = ? order by version")
                        .param(id)
                        .query((row, n) -> row.getInt(1) + ">" + row.getInt(2))
                        .list())
                .containsExactly("0>1", "1>4", "4>2");
    }

    @Test
    void aRefundBesideASuspendedOneIsWatched() throws Exception {
        UUID id = paid();
        String refunds = "/v1/orders/" + id + "/refunds";
        post(refunds, "{\"refundNo\": \"R1\", \"amount\": 300}");
        poll(new RefundSuspended(id, merchant, "R1", "EUR", 300L, "ACCOUNT_BLOCKED"));

        post(refunds, "{\"refundNo\": \"R2\", \"amount\": 100}");

        assertThat(deadline(id)).isAfter(Instant.now());
    }

    @Test
    void refundsAtOnceNeverExceedWhatWasCaptured() throws Exception {
        UUID id = paid();
        var numbers = IntStream.range(0, 5).iterator();

        var answers = atOnce(5, () -> {
            int number;
            synchronized (numbers) {
                number = numbers.next();
            }
            return post("/v1/orders/" + id + "/refunds", "{\"refundNo\": \"R" + number + "\", \"amount\": 250}");
        });

        assertThat(answers.stream().filter(answer -> answer.statusCode() == 202))
                .hasSize(2);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 422))
                .hasSize(3);
    }

    @Test
    void beforeItIsPaidAnOrderIsNotRefundable() throws Exception {
        UUID id = place();

        assertThat(problem(post("/v1/orders/" + id + "/refunds", "{\"refundNo\": \"R1\", \"amount\": 1}")))
                .isEqualTo("409 order-not-refundable");
    }

    @Test
    void anOrderRequestedOverKafkaIsPlacedOnceHoweverOftenItComes() {
        var request = requested("K-1", 2);

        assertThat(poll(request, request)).isEmpty();
        assertThat(poll(request)).isEmpty();

        UUID id = idOf("K-1");
        assertThat(announced(id)).containsExactly("OrderPlaced");
        assertThat(outboxIds(id)).containsExactly(EventIds.derive(id, "order", "OrderPlaced", 0));
        assertThat(history(id)).containsExactly("UNSEEN>CREATED v1");
    }

    @Test
    void aRequestOverKafkaThatMakesNoSenseOrContradictsIsRejected() {
        poll(requested("K-1", 2));

        assertThat(poll(requested("K-1", 3))).containsExactly("OrderRejected OUT_TRADE_NO_CONFLICT");
        assertThat(poll(requested("K-1", 3))).containsExactly("OrderRejected OUT_TRADE_NO_CONFLICT");
        assertThat(poll(requested("K-2", 0))).containsExactly("OrderRejected INVALID_REQUEST");
        assertThat(poll(requested("K\0", 1))).containsExactly("OrderRejected INVALID_REQUEST");
        assertThat(poll(requested("K-3", 1), requested("K-3", 2)))
                .containsExactly("OrderRejected OUT_TRADE_NO_CONFLICT");
    }

    @Test
    void httpAndKafkaMeetOverOneNumber() throws Exception {
        UUID id = place();

        assertThat(poll(requested("T-1", 2))).isEmpty();
        assertThat(poll(requested("T-1", 1))).containsExactly("OrderRejected OUT_TRADE_NO_CONFLICT");
        assertThat(announced(id)).containsExactly("OrderPlaced");
    }

    @Test
    void aSuccessThatComesAfterTheTimeOutChangesNothingAndTheMerchantIsToldOfTheTimeOut() throws Exception {
        UUID id = place();
        expire(id);
        await(() -> state(id) == 50);

        assertThat(poll(reserved(id), new PaymentAuthorized(id, merchant, "EUR", 600L)))
                .isEmpty();
        assertThat(poll(
                        new StockReleased(id, merchant, "RELEASED", "ORDER_CANCELED"),
                        new PaymentVoided(id, merchant, "VOIDED")))
                .containsExactly("OrderClosed");
        assertThat(poll(new PaymentAuthorized(id, merchant, "EUR", 600L))).isEmpty();

        assertThat(state(id)).isEqualTo(51);
        assertThat(json(get("/v1/orders/" + id)).get("reason").asString()).isEqualTo("TIMED_OUT");
        assertThat(announced(id)).doesNotContain("OrderConfirmed", "OrderPaid");
    }

    @Test
    void ofAConfirmationAndACancellationAtOnceOneWinsAsAWhole() throws Exception {
        for (int round = 0; round < 10; round++) {
            UUID id = place("R-" + round);
            var sides = List.<Callable<Integer>>of(
                            () -> post("/v1/orders/" + id + "/cancel", "{}").statusCode(), () -> confirm(id))
                    .iterator();

            var answers = atOnce(2, () -> {
                Callable<Integer> side;
                synchronized (sides) {
                    side = sides.next();
                }
                return side.call();
            });

            boolean confirmed = state(id) == 30;
            assertThat(answers).containsExactlyInAnyOrder(confirmed ? 409 : 202, confirmed ? 1 : 0);
            assertThat(history(id)).hasSize(2);
            assertThat(announced(id).contains("OrderCanceled")).isNotEqualTo(confirmed);
        }
    }

    /** How many events it says, as often as the listener would try. */
    private int confirm(UUID id) {
        while (true) {
            try {
                return poll(new PaymentAuthorized(id, merchant, "EUR", 600L)).size();
            } catch (OptimisticLockingFailureException e) {
                // as the listener does
            }
        }
    }

    @Test
    void anOrderThatIsNotConfirmedInTimeIsCanceled() throws Exception {
        Instant before = Instant.now();
        UUID id = place();
        assertThat(deadline(id)).isBetween(before.plusSeconds(30), Instant.now().plusSeconds(90));

        expire(id);

        await(() -> state(id) == 50);
        assertThat(json(get("/v1/orders/" + id)).get("reason").asString()).isEqualTo("TIMED_OUT");
        assertThat(announced(id)).containsExactly("OrderPlaced", "OrderCanceled");
    }

    @Test
    void aPersonIsToldOnceAboutAnOrderThatIsStuckAndItsRequestCanBeSentAgain() throws Exception {
        UUID id = place();
        poll(new PaymentAuthorized(id, merchant, "EUR", 600L));

        expire(id);
        await(() -> deadline(id) == null);

        assertThat(announced(id)).containsExactly("OrderPlaced", "SagaStuck", "WorkOrderOpened");
        orderMeters.measure();
        assertThat(meters.get("paysaga.saga.stuck")
                        .tag("state", "CONFIRMED")
                        .gauge()
                        .value())
                .isPositive();
        UUID work = jdbc.sql("select id from work_orders where aggregate_id = ? and kind = 'SAGA_STUCK'")
                .param(id)
                .query(UUID.class)
                .single();
        var command = new ResolveWorkOrder(work, id, merchant, "RESEND", null, null, "alice", null, null);
        assertThat(poll(command, command)).containsExactly("OrderConfirmed", "WorkOrderResolved");
        assertThat(poll(command)).isEmpty();
        assertThat(workOrder(work)).isEqualTo("RESOLVED RESEND alice");
        assertThat(deadline(id)).isAfter(Instant.now());
    }

    @Test
    void anOrderThatMovesOnByItselfNeedsNobody() throws Exception {
        UUID id = place();
        poll(new PaymentAuthorized(id, merchant, "EUR", 600L));
        expire(id);
        await(() -> deadline(id) == null);

        poll(new StockCommitted(id, merchant), new PaymentCaptured(id, merchant, "EUR", 600L));

        UUID work = jdbc.sql("select id from work_orders where aggregate_id = ?")
                .param(id)
                .query(UUID.class)
                .single();
        assertThat(workOrder(work)).isEqualTo("RESOLVED SETTLED order");
        assertThat(announced(id)).endsWith("WorkOrderResolved");
    }

    @Test
    void anotherServicesWorkOrderIsNoneOfOurs() throws Exception {
        UUID id = paid();

        assertThat(poll(new ResolveWorkOrder(
                        UUID.randomUUID(), id, merchant, "PAY_OUT", "R1", 300L, "alice", null, null)))
                .isEmpty();
    }

    @Test
    void whoPrefersToWaitIsToldTheOutcome() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var confirmed = threads.submit(() -> waiting("T-1"));
            var declined = threads.submit(() -> waiting("T-2"));
            await(() -> exists("T-1") && exists("T-2"));
            poll(
                    new PaymentAuthorized(idOf("T-1"), merchant, "EUR", 600L),
                    new StockRejected(idOf("T-2"), merchant, "OUT_OF_STOCK", "tea"));

            assertThat(confirmed.get().statusCode()).isEqualTo(201);
            assertThat(confirmed.get().headers().firstValue("Preference-Applied"))
                    .contains("wait=30");
            assertThat(confirmed.get().headers().firstValue("Location")).contains("/v1/orders/" + idOf("T-1"));
            assertThat(json(confirmed.get()).get("status").asString()).isEqualTo("CONFIRMED");
            assertThat(declined.get().headers().allValues("Location")).containsExactly("/v1/orders/" + idOf("T-2"));
            assertThat(declined.get().headers().allValues("Content-Type")).containsExactly("application/problem+json");
            assertThat(problem(declined.get())).isEqualTo("409 out-of-stock");
            assertThat(json(declined.get()).get("orderId").asString())
                    .isEqualTo(idOf("T-2").toString());
            assertThat(json(declined.get()).get("reason").asString()).isEqualTo("OUT_OF_STOCK");
        }
    }

    @Test
    void whoWaitedInVainIsToldThatItIsAccepted() throws Exception {
        var answer = send(
                "POST", "/v1/orders", TWO_TEAS, TestTokens.token(merchant, "orders:write"), Map.of("Prefer", "wait=0"));

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.headers().firstValue("Preference-Applied")).contains("wait=0");
        assertThat(json(answer).get("status").asString()).isEqualTo("CREATED");
    }

    private HttpResponse<String> waiting(String outTradeNo) throws Exception {
        return send(
                "POST",
                "/v1/orders",
                TWO_TEAS.replace("T-1", outTradeNo),
                TestTokens.token(merchant, "orders:write"),
                Map.of("Prefer", "respond-async, wait=30"));
    }

    private UUID place() throws Exception {
        return place("T-1");
    }

    private UUID place(String outTradeNo) throws Exception {
        return UUID.fromString(json(post("/v1/orders", TWO_TEAS.replace("T-1", outTradeNo)))
                .get("orderId")
                .asString());
    }

    private UUID paid() throws Exception {
        UUID id = place();
        poll(
                new PaymentAuthorized(id, merchant, "EUR", 600L),
                new StockCommitted(id, merchant),
                new PaymentCaptured(id, merchant, "EUR", 600L));
        return id;
    }

    private StockReserved reserved(UUID id) {
        return new StockReserved(id, merchant, "wallet-1", "EUR", 600L, List.of(new OrderLine("tea", 2L, 300L)));
    }

    private OrderRequested requested(String outTradeNo, long teas) {
        return new OrderRequested(
                merchant, outTradeNo, "wallet-1", "EUR", null, List.of(new OrderLine("tea", teas, 300L)), null);
    }

    /** What one poll of these events announces by itself, as the reactor has it done. */
    private List<String> poll(SpecificRecord... events) {
        return transaction.execute(status -> {
            var received = new ArrayList<ReceivedEvent>();
            for (SpecificRecord event : events) {
                received.add(new ReceivedEvent(EventIds.next(System.currentTimeMillis()), event, "t", "k", null));
            }
            LockedOrders orders = participant.load(received);
            var said = new ArrayList<String>();
            for (ReceivedEvent event : received) {
                participant.react(event, orders).forEach(answer -> said.add(words(answer)));
            }
            participant.save(orders);
            return said;
        });
    }

    private static String words(SpecificRecord event) {
        String name = event.getSchema().getName();
        return event instanceof OrderRejected rejected ? name + " " + rejected.getReason() : name;
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return send("POST", path, body, TestTokens.token(merchant, "orders:write"), Map.of());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, null, TestTokens.token(merchant, "orders:read"), Map.of());
    }

    private HttpResponse<String> send(
            String method, String path, @Nullable String body, String token, Map<String, String> headers)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(DEADLINE)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString());
        headers.forEach(request::header);
        request.method(
                method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JSON.readTree(answer.body());
    }

    private static String problem(HttpResponse<String> answer) {
        return answer.statusCode() + " " + json(answer).get("type").asString().replace("urn:paysaga:problem:", "");
    }

    private static List<String> errors(HttpResponse<String> answer) {
        assertThat(problem(answer)).isEqualTo("400 invalid-request");
        var fields = new ArrayList<String>();
        json(answer)
                .get("errors")
                .forEach(error -> fields.add(error.get("field").asString()));
        return fields;
    }

    private static List<String> ids(JsonNode page) {
        var ids = new ArrayList<String>();
        page.get("orders").forEach(order -> ids.add(order.get("orderId").asString()));
        return ids;
    }

    private static <T> List<T> atOnce(int times, Callable<T> work) throws Exception {
        var start = new CyclicBarrier(times);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, times)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        return work.call();
                    }))
                    .toList();
            var results = new ArrayList<T>();
            for (var one : running) {
                results.add(one.get());
            }
            return results;
        }
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(DEADLINE).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    private void expire(UUID id) {
        jdbc.sql("update orders set deadline_at = now() - interval '1 second' where order_id = ?")
                .param(id)
                .update();
    }

    private boolean exists(String outTradeNo) {
        return jdbc.sql("select count(*) from orders where merchant_id = ? and out_trade_no = ?")
                        .params(merchant, outTradeNo)
                        .query(Long.class)
                        .single()
                == 1;
    }

    private UUID idOf(String outTradeNo) {
        return jdbc.sql("select order_id from orders where merchant_id = ? and out_trade_no = ?")
                .params(merchant, outTradeNo)
                .query(UUID.class)
                .single();
    }

    private int state(UUID id) {
        return jdbc.sql("select state from orders where order_id = ?")
                .param(id)
                .query(Integer.class)
                .single();
    }

    private @Nullable Instant deadline(UUID id) {
        return jdbc.sql("select deadline_at from orders where order_id = ?")
                .param(id)
                .query((row, n) -> OrderStore.instant(row.getTimestamp(1)))
                .list()
                .getFirst();
    }

    private String workOrder(UUID id) {
        return jdbc.sql("select status || ' ' || action || ' ' || actor from work_orders where id = ?")
                .param(id)
                .query(String.class)
                .single();
    }

    private List<String> announced(UUID id) {
        return jdbc.sql("select event_type from outbox where aggregate_id = ? order by seq")
                .param(id.toString())
                .query(String.class)
                .list();
    }

    private List<UUID> outboxIds(UUID id) {
        return jdbc.sql("select id from outbox where aggregate_id = ? order by seq")
                .param(id.toString())
                .query(UUID.class)
                .list();
    }

    private List<String> history(UUID id) {
        return jdbc.sql("select from_state, to_state, version from order_events where order_id = ? order by version")
                .param(id)
                .query((row, n) ->
                        OrderStatus.of(row.getInt(1)) + ">" + OrderStatus.of(row.getInt(2)) + " v" + row.getInt(3))
                .list();
    }
}
