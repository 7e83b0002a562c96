package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Ledger;
import dev.paysaga.account.domain.Transfer;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.RestockLine;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.inbox.ReceivedEvent;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;
import org.springframework.transaction.support.TransactionTemplate;

/** The account service on a real database. Every test has a merchant of its own; nothing is due or relayed by itself. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "saga.consumer.enabled=false",
            "saga.relay.enabled=false",
            "account.refund-pauses=0s,0s",
            "account.hold-overdue=0s",
            "account.refund-poll=1d",
            "account.hold-poll=1d",
            "account.rollup=1d"
        })
abstract class OnRealServers {

    /** Long enough for a loaded machine. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    static final String OPS = TestTokens.operatorToken("ops");

    @Autowired
    AccountParticipant account;

    @Autowired
    DueWork dueWork;

    @Autowired
    BalanceRollup rollup;

    @Autowired
    TransactionTemplate transaction;

    @Autowired
    Outbox outbox;

    @Autowired
    JdbcClient jdbc;

    @LocalServerPort
    int port;

    final String merchant = "m-" + UUID.randomUUID();
    final String token = TestTokens.token(merchant, "accounts:write", "accounts:read");
    RestTestClient http = RestTestClient.bindToServer().build();

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("account").forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void connect() {
        var client = new JdkClientHttpRequestFactory();
        client.setReadTimeout(PATIENCE);
        http = RestTestClient.bindToServer(client)
                .baseUrl("http://127.0.0.1:" + port)
                .build();
    }

    // ---- over HTTP ----

    ResponseSpec post(String bearer, String path, String body) {
        return http.post()
                .uri(path)
                .header("Authorization", "Bearer " + bearer)
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .contentType(MediaType.APPLICATION_JSON)
                .body(body.replace('\'', '"'))
                .exchange();
    }

    ResponseSpec get(String bearer, String path, Object... variables) {
        return http.get()
                .uri(path, variables)
                .header("Authorization", "Bearer " + bearer)
                .exchange();
    }

    ResponseSpec open(String accountId, String kind, String currency) {
        return post(
                token,
                "/v1/accounts",
                "{'accountId': '%s', 'kind': '%s', 'currency': '%s'}".formatted(accountId, kind, currency));
    }

    ResponseSpec deposit(String accountId, String depositNo, long amount) {
        return post(
                token,
                "/v1/accounts/" + accountId + "/deposits",
                "{'depositNo': '%s', 'amount': %d}".formatted(depositNo, amount));
    }

    ResponseSpec block(String accountId) {
        return post(OPS, "/v1/accounts/" + accountId + "/block", owner());
    }

    ResponseSpec unblock(String accountId) {
        return post(OPS, "/v1/accounts/" + accountId + "/unblock", owner());
    }

    String owner() {
        return "{'merchantId': '" + merchant + "'}";
    }

    /** A wallet "w" with this much and a merchant account "t". */
    void openAccounts(String currency, long amount) {
        open("w", "WALLET", currency).expectStatus().isCreated();
        open("t", "MERCHANT", currency).expectStatus().isCreated();
        deposit("w", "D1", amount).expectStatus().isCreated();
    }

    // ---- over Kafka, without Kafka ----

    /** One poll, in one transaction, as the reactor does it; says which events were announced. Knows no inbox. */
    List<String> poll(SpecificRecord... events) {
        return announce(List.of(events)).stream()
                .map(event -> event.getSchema().getName())
                .toList();
    }

    List<SpecificRecord> announce(List<? extends SpecificRecord> events) {
        List<ReceivedEvent> received = events.stream()
                .map(event -> new ReceivedEvent(EventIds.next(System.currentTimeMillis()), event, "", "", null))
                .toList();
        return Objects.requireNonNull(transaction.execute(status -> {
            Books books = account.load(received);
            var said = new ArrayList<SpecificRecord>();
            for (ReceivedEvent event : received) {
                List<SpecificRecord> announced = account.react(event, books);
                outbox.append(new Announcement(event.id(), announced, null));
                said.addAll(announced);
            }
            account.save(books);
            return said;
        }));
    }

    /** As {@link #poll}, again and again while somebody else was faster. */
    List<String> persistentPoll(SpecificRecord... events) {
        while (true) {
            try {
                return poll(events);
            } catch (TransientDataAccessException e) {
                // as the listener does
            }
        }
    }

    static <T> List<T> atOnce(List<Callable<T>> works) throws Exception {
        try (var threads = Executors.newFixedThreadPool(works.size())) {
            var start = new CyclicBarrier(works.size());
            List<Future<T>> futures = works.stream()
                    .map(work -> threads.submit(() -> {
                        start.await();
                        return work.call();
                    }))
                    .toList();
            var done = new ArrayList<T>();
            for (Future<T> future : futures) {
                done.add(future.get());
            }
            return done;
        }
    }

    static UUID newOrder() {
        return EventIds.next(System.currentTimeMillis());
    }

    StockReserved reserved(UUID order, String currency, long amount) {
        return new StockReserved(order, merchant, "w", currency, amount, List.of(new OrderLine("tea", 1L, amount)));
    }

    RefundRequested refund(UUID order, String refundNo, String currency, long amount) {
        return new RefundRequested(
                order, merchant, refundNo, currency, amount, null, List.of(new RestockLine("tea", 1L)));
    }

    ResolveWorkOrder resolve(UUID workOrder, UUID order, String action) {
        return new ResolveWorkOrder(workOrder, order, merchant, action, null, null, "ops", "decided", null);
    }

    // ---- what is stored ----

    /** A wallet's row, as posted/held. */
    String wallet() {
        return jdbc.sql("select posted || '/' || held from accounts where account_key = ?")
                .param(merchant + "/w")
                .query(String.class)
                .single();
    }

    /** The balance of one of the merchant's or the ledger's accounts, as the API knows it. */
    BigInteger takings() {
        return new BigInteger(Objects.requireNonNull(get(token, "/v1/accounts/t")
                .expectStatus()
                .isOk()
                .returnResult(Map.class)
                .getResponseBody()
                .get("posted")
                .toString()));
    }

    @Nullable
    String stateOf(UUID order) {
        return jdbc.sql("select state || ' v' || version from payments where order_id = ?")
                .param(order)
                .query(String.class)
                .optional()
                .orElse(null);
    }

    List<String> history(UUID order) {
        return jdbc.sql("""
                        select from_state || '>' || to_state || ' v' || version
                          from payment_events where payment_id = ? order by version
                        """).param(order).query(String.class).list();
    }

    /** Kinds of the order's transfers, in their order. */
    List<String> transfers(UUID order) {
        return jdbc.sql("select kind from transfers where order_id = ? order by seq")
                .param(order)
                .query(String.class)
                .list();
    }

    List<UUID> openWorkOrders(UUID order) {
        return jdbc.sql("select id from work_orders where aggregate_id = ? and status = 'OPEN'")
                .param(order)
                .query(UUID.class)
                .list();
    }

    /** Adds the whole ledger up again and compares: wallets with their rows, suspense with the open work orders. */
    void assertTheBooksBalance() {
        List<Transfer> ledger = jdbc.sql("select * from transfers order by seq")
                .query((row, n) -> new Transfer(
                        row.getObject("transfer_id", UUID.class),
                        Transfer.Kind.valueOf(row.getString("kind")),
                        row.getString("debit_account"),
                        row.getString("credit_account"),
                        row.getLong("amount"),
                        row.getString("currency"),
                        row.getObject("order_id", UUID.class),
                        row.getString("refund_no"),
                        row.getObject("pending_of", UUID.class),
                        row.getObject("work_order_id", UUID.class)))
                .list();
        var balances = Ledger.balances(ledger);
        jdbc.sql("select account_key, posted, held from accounts where kind = 'WALLET'")
                .query(row -> {
                    var sum = balances.getOrDefault(row.getString("account_key"), Ledger.Balance.ZERO);
                    assertThat(sum)
                            .isEqualTo(new Ledger.Balance(
                                    BigInteger.valueOf(row.getLong("posted")),
                                    BigInteger.valueOf(row.getLong("held"))));
                });
        jdbc.sql("""
                        select currency, sum(amount) as open from work_orders
                         where status = 'OPEN' and amount is not null group by currency
                        """).query(row -> {
            assertThat(balances.get(Account.suspense(row.getString("currency"))).posted())
                    .isEqualTo(row.getBigDecimal("open").toBigIntegerExact());
        });
        get(OPS, "/v1/ledger/trial-balance")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.balanced")
                .isEqualTo(true);
    }
}
