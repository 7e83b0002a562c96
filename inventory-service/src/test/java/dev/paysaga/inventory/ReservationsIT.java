package dev.paysaga.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RestockLine;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.ImpossibleTransition;
import dev.paysaga.saga.inbox.ReceivedEvent;
import dev.paysaga.saga.state.TransitionLog;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Decisions meet a real database: several polls at once, each one transaction. Every test has a merchant of its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "saga.consumer.enabled=false")
class ReservationsIT {

    @Autowired
    private InventoryParticipant inventory;

    @Autowired
    private StockStore stock;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private JdbcClient jdbc;

    @LocalServerPort
    private int port;

    private final String merchant = "m-" + UUID.randomUUID();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("inventory").forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void fillShelves() {
        receive("tea", 5);
        receive("cup", 5);
    }

    @Test
    void aPersonIsAskedOnceAboutAReservationNobodyDecidesAndNoLongerOnceSomebodyDoes() {
        UUID committed = newOrder();
        UUID released = newOrder();
        poll(placed(committed, line("tea", 1)), placed(released, line("tea", 1)));

        assertThat(questions(committed)).isEmpty();
        askAboutAll();
        askAboutAll();
        assertThat(questions(committed)).containsExactly("RESERVATION_UNDECIDED OPEN");
        assertThat(questions(released)).containsExactly("RESERVATION_UNDECIDED OPEN");

        poll(new OrderConfirmed(committed, merchant), new OrderCanceled(released, merchant, "TIMED_OUT"));
        assertThat(questions(committed)).containsExactly("RESERVATION_UNDECIDED RESOLVED SETTLED");
        assertThat(questions(released)).containsExactly("RESERVATION_UNDECIDED RESOLVED SETTLED");
        assertThat(jdbc.sql("select event_type from outbox where aggregate_id = ? order by seq")
                        .param(committed.toString())
                        .query(String.class)
                        .list())
                .contains("WorkOrderOpened", "WorkOrderResolved");
        askAboutAll();
        assertThat(questions(committed)).hasSize(1);
    }

    private void askAboutAll() {
        transaction.executeWithoutResult(status -> undecided.askAbout(java.time.Duration.ofSeconds(-1), 10_000));
    }

    private List<String> questions(UUID order) {
        return jdbc.sql("select concat_ws(' ', kind, status, action) from work_orders where aggregate_id = ?")
                .param(order)
                .query(String.class)
                .list();
    }

    @Test
    void theStatementAddsUpWhatWentInAndOutOfEachShelf() {
        UUID order = newOrder();
        poll(placed(order, line("tea", 2)), placed(newOrder(), line("tea", 1)));
        poll(new OrderConfirmed(order, merchant));
        poll(refunded(order, "F1", "tea", 1));

        RestTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .build()
                .get()
                .uri("/v1/statement")
                .header("Authorization", "Bearer " + TestTokens.operatorToken("ops"))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.shelves[?(@.merchantId == '" + merchant + "' && @.sku == 'tea')]")
                .isEqualTo(java.util.Map.of(
                        "merchantId", merchant,
                        "sku", "tea",
                        "shelf", true,
                        "onHand", 4,
                        "reserved", 1,
                        "received", 5,
                        "committed", 2,
                        "restocked", 1,
                        "reservedByReservations", 1))
                .jsonPath("$.receipts[?(@.merchantId == '" + merchant + "' && @.sku == 'tea')].quantity")
                .isEqualTo(5)
                .jsonPath("$.reservations[?(@.orderId == '" + order + "')].lines[0].sku")
                .isEqualTo("tea")
                .jsonPath("$.restocks[?(@.orderId == '" + order + "')].refundNo")
                .isEqualTo("F1");
    }

    @Test
    void anOrderIsReservedCommittedAndPartlyRestocked() {
        UUID order = newOrder();

        assertThat(poll(placed(order, line("tea", 2), line("cup", 1)))).containsExactly("StockReserved");
        assertThat(shelf("tea")).isEqualTo("5/2");
        assertThat(shelf("cup")).isEqualTo("5/1");

        assertThat(poll(new OrderConfirmed(order, merchant))).containsExactly("StockCommitted");
        assertThat(shelf("tea")).isEqualTo("3/0");

        assertThat(poll(refunded(order, "F1", "tea", 1))).containsExactly("StockRestocked");
        assertThat(poll(refunded(order, "F1", "tea", 1))).isEmpty();
        assertThat(shelf("tea")).isEqualTo("4/0");
        assertThat(shelf("cup")).isEqualTo("4/0");

        assertThat(history(order)).containsExactly("0>1 v1", "1>2 v2");
    }

    @Test
    void anOrderThatFallsShortLeavesTheShelvesAlone() {
        UUID order = newOrder();

        assertThat(poll(placed(order, line("tea", 2), line("cup", 6)))).containsExactly("StockRejected");
        assertThat(poll(placed(order, line("tea", 2), line("cup", 6)))).containsExactly("StockRejected");

        assertThat(shelf("tea")).isEqualTo("5/0");
        assertThat(state(order)).isEqualTo(4);
        assertThat(history(order)).containsExactly("0>4 v1");
    }

    @Test
    void aDeclinedPaymentGivesTheUnitsBackAndTheCancellationIsStillAnswered() {
        UUID order = newOrder();
        poll(placed(order, line("tea", 2)));

        assertThat(poll(new PaymentDeclined(order, merchant, "INSUFFICIENT_FUNDS")))
                .containsExactly("StockReleased");
        assertThat(poll(new OrderCanceled(order, merchant, "INSUFFICIENT_FUNDS")))
                .containsExactly("StockReleased");

        assertThat(shelf("tea")).isEqualTo("5/0");
    }

    @Test
    void aWholeSagaInOnePollIsDecidedInItsOrder() {
        UUID order = newOrder();

        assertThat(poll(
                        placed(order, line("tea", 2)),
                        new OrderConfirmed(order, merchant),
                        refunded(order, "F1", "tea", 1),
                        refunded(order, "F1", "tea", 1),
                        refunded(order, "F2", "tea", 1)))
                .containsExactly("StockReserved", "StockCommitted", "StockRestocked", "StockRestocked");

        assertThat(shelf("tea")).isEqualTo("5/0");
        assertThat(history(order)).containsExactly("0>1 v1", "1>2 v2");
    }

    @Test
    void anImpossibleEventLeavesNoTrace() {
        UUID order = newOrder();

        assertThatThrownBy(() -> poll(new OrderConfirmed(order, merchant))).isInstanceOf(ImpossibleTransition.class);

        assertThat(jdbc.sql("select count(*) from reservations where order_id = ?")
                        .param(order)
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void anotherMerchantsProductIsUnknown() {
        receive("m-other", "vase", 5);

        assertThat(poll(placed(newOrder(), line("vase", 1)))).containsExactly("StockRejected");

        assertThat(shelf("m-other", "vase")).isEqualTo("5/0");
    }

    @RepeatedTest(10)
    void ofTwoOrdersForTheLastUnitExactlyOneIsReserved() throws Exception {
        receive("rare", 1);

        List<List<String>> said = atOnce(
                () -> poll(placed(newOrder(), line("rare", 1))), () -> poll(placed(newOrder(), line("rare", 1))));

        assertThat(said).containsExactlyInAnyOrder(List.of("StockReserved"), List.of("StockRejected"));
        assertThat(shelf("rare")).isEqualTo("1/1");
    }

    @RepeatedTest(10)
    void anOrderPlacedAndCanceledAtOnceEndsWithoutStock() throws Exception {
        UUID order = newOrder();

        atOnce(
                () -> poll(placed(order, line("tea", 2))),
                () -> poll(new OrderCanceled(order, merchant, "CANCELED_BY_MERCHANT")));

        assertThat(state(order)).isIn(3, 5);
        assertThat(shelf("tea")).isEqualTo("5/0");
    }

    @RepeatedTest(10)
    void twoCancellationsAtOnceOfAnUnseenOrderMakeOneFence() throws Exception {
        UUID order = newOrder();

        List<List<String>> said = atOnce(
                () -> poll(new OrderCanceled(order, merchant, "TIMED_OUT")),
                () -> poll(new OrderCanceled(order, merchant, "TIMED_OUT")));

        assertThat(said).containsExactly(List.of("StockReleased"), List.of("StockReleased"));
        assertThat(history(order)).containsExactly("0>5 v1");
        assertThat(poll(placed(order, line("tea", 2)))).containsExactly("StockRejected");
    }

    @Test
    void whoeverIsSecondToHearOfAnOrderFirstTriesAgain() {
        UUID order = newOrder();
        var placed = List.of(received(placed(order, line("tea", 2))));

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    LockedStock before = inventory.load(placed);
                    inOtherTransaction(() -> once(new OrderCanceled(order, merchant, "TIMED_OUT")));
                    inventory.react(placed.getFirst(), before);
                    inventory.save(before);
                }))
                .isInstanceOf(OptimisticLockingFailureException.class);

        assertThat(state(order)).isEqualTo(5);
        assertThat(shelf("tea")).isEqualTo("5/0");
    }

    @RepeatedTest(5)
    void ordersThatNameTheSameProductsInOppositeOrderDoNotBlockEachOther() throws Exception {
        receive("tea", 1000);
        receive("cup", 1000);
        SpecificRecord[] forth = orders(50, line("tea", 1), line("cup", 1));
        SpecificRecord[] back = orders(50, line("cup", 1), line("tea", 1));

        atOnce(() -> once(forth), () -> once(back));

        assertThat(shelf("tea")).isEqualTo("1005/100");
        assertThat(shelf("cup")).isEqualTo("1005/100");
    }

    @Test
    void aPollCostsTheSameStatementsHoweverManyEventsItHas() {
        receive("tea", 1000);

        assertThat(statements(orders(1, line("tea", 1)))).isEqualTo(statements(orders(200, line("tea", 1))));
    }

    @Test
    void eventsOfOthersInTheSameTopicMeanNothing() {
        assertThat(inventory.concerns(new OrderPaid(newOrder(), merchant, "T-1", "EUR", 1L, null)))
                .isFalse();
        assertThat(inventory.concerns(new OrderConfirmed(newOrder(), merchant))).isTrue();
    }

    /** As the reactor does it: one transaction, again if somebody else was faster. */
    private List<String> poll(SpecificRecord... events) {
        while (true) {
            try {
                return once(events);
            } catch (OptimisticLockingFailureException e) {
                // Somebody else heard of the order at the same time; now it is stored and can be locked.
            }
        }
    }

    private List<String> once(SpecificRecord... events) {
        return poll(inventory, events);
    }

    private List<String> poll(InventoryParticipant participant, SpecificRecord... events) {
        List<ReceivedEvent> received =
                Stream.of(events).map(ReservationsIT::received).toList();
        return transaction.execute(status -> {
            LockedStock world = participant.load(received);
            var said = new ArrayList<String>();
            received.forEach(event -> participant
                    .react(event, world)
                    .forEach(answer -> said.add(answer.getSchema().getName())));
            participant.save(world);
            return said;
        });
    }

    private int statements(SpecificRecord... events) {
        var count = new AtomicInteger();
        JdbcOperations counted = (JdbcOperations) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JdbcOperations.class}, (proxy, method, arguments) -> {
                    count.incrementAndGet();
                    try {
                        return method.invoke(jdbcOperations, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        var log = TransitionLog.of(counted, meters, "reservation");
        poll(new InventoryParticipant(new ReservationStore(counted, log, lines, undecided, compensations)), events);
        return count.get();
    }

    @Autowired
    private JdbcOperations jdbcOperations;

    @Autowired
    private io.micrometer.core.instrument.MeterRegistry meters;

    @Autowired
    private Lines lines;

    @Autowired
    private UndecidedReservations undecided;

    @Autowired
    private CompensationMeter compensations;

    private static void inOtherTransaction(Runnable work) {
        try (var thread = Executors.newSingleThreadExecutor()) {
            thread.submit(work).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static <T> List<T> atOnce(Callable<T>... calls) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (var result : threads.invokeAll(List.of(calls))) {
                results.add(result.get());
            }
            return results;
        }
    }

    private void receive(String sku, long quantity) {
        receive(merchant, sku, quantity);
    }

    private void receive(String owner, String sku, long quantity) {
        transaction.executeWithoutResult(
                status -> stock.receive(owner, UUID.randomUUID().toString(), sku, quantity));
    }

    private String shelf(String sku) {
        return shelf(merchant, sku);
    }

    private String shelf(String owner, String sku) {
        return stock.shelf(owner, sku)
                .map(shelf -> shelf.onHand() + "/" + shelf.reserved())
                .orElse("none");
    }

    private int state(UUID order) {
        return jdbc.sql("select state from reservations where order_id = ?")
                .param(order)
                .query(Integer.class)
                .single();
    }

    private List<String> history(UUID order) {
        return jdbc.sql("select from_state || '>' || to_state || ' v' || version from reservation_events"
                        + " where reservation_id = ? order by version")
                .param(order)
                .query(String.class)
                .list();
    }

    private SpecificRecord[] orders(int count, OrderLine... lines) {
        return IntStream.range(0, count)
                .mapToObj(i -> placed(newOrder(), lines))
                .toArray(SpecificRecord[]::new);
    }

    private OrderPlaced placed(UUID order, OrderLine... lines) {
        return new OrderPlaced(order, merchant, "T-" + order, "wallet-1", "EUR", 100L, List.of(lines));
    }

    private RefundCompleted refunded(UUID order, String refundNo, String sku, long quantity) {
        return new RefundCompleted(order, merchant, refundNo, "EUR", 100L, List.of(new RestockLine(sku, quantity)));
    }

    private static OrderLine line(String sku, long quantity) {
        return new OrderLine(sku, quantity, 100L);
    }

    private static UUID newOrder() {
        return EventIds.next(System.currentTimeMillis());
    }

    private static ReceivedEvent received(SpecificRecord event) {
        return new ReceivedEvent(EventIds.next(System.currentTimeMillis()), event, "topic", "key", null);
    }
}
