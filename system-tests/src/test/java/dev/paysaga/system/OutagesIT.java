package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.demo.Reconciliation;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Stack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What has gone wrong for others (docs/cases.md), done to real processes. */
@Tag("nightly")
class OutagesIT {

    private static final Duration SETTLING = Duration.ofMinutes(3);
    private static final Duration OUTAGE = Duration.ofMinutes(1);

    private static final CommandLine PAYSAGA = new CommandLine("outages");

    private final Stack stack = PAYSAGA.stack();
    private final Services services = new Services(stack);
    private final HttpClient http = HttpClient.newHttpClient();
    private Merchant merchant;

    @BeforeAll
    static void up() {
        assertThat(PAYSAGA.run("up", "--fresh")).matches(result -> result.code() == 0, "up succeeds");
    }

    @AfterAll
    static void down() {
        assertThat(PAYSAGA.run("down").code()).isZero();
    }

    @BeforeEach
    void openShop() {
        merchant = services.merchant("it-" + UUID.randomUUID());
        merchant.openMerchantAccount("shop", "EUR");
        merchant.openWallet("alice", "EUR", 1_000_000);
        merchant.receive("tea", "first", 10_000);
        allPaid(place("warm", 1));
        // Until the last reader has read the last of it, and so knows all schemas.
        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
    }

    @AfterEach
    void booksBalance() {
        // A test that failed half-way may have left something down, which is not the next one's matter.
        stack.up(Map.of());
        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
        assertThat(Reconciliation.of(stack).differences()).isEmpty();
    }

    @Test
    void while_kafka_is_away_orders_are_accepted_the_relay_is_down_and_its_lag_grows_and_then_all_goes_out_in_order() {
        stack.kill("kafka");
        long begin = System.nanoTime();

        List<String> orders = place("K", 100);

        assertThat(Await.holds(SETTLING, () -> lagSeconds("order") > OUTAGE.toSeconds() / 2.0))
                .as("the lag is alarmed")
                .isTrue();
        assertThat(health("order", "")).isEqualTo(503);
        assertThat(health("order", "/liveness")).isEqualTo(200);
        orders.addAll(place("L", 100));
        Await.holds(OUTAGE.minusNanos(System.nanoTime() - begin), () -> false);
        stack.start("kafka");

        // A minute is the deadline of an order that is not decided; those it has caught are canceled, all others paid.
        for (String order : orders) {
            Answer settled = merchant.await(order, Merchant.TERMINAL, SETTLING);
            assertThat(settled.text("status") + " " + settled.text("reason"))
                    .as(order)
                    .isIn("PAID ", "CANCELED TIMED_OUT");
        }
        assertSentInOrder(orders);
        assertThat(Await.holds(SETTLING, () -> health("order", "") == 200))
                .as("healthy again")
                .isTrue();
    }

    @Test
    void postgresql_restarts_under_the_relay_and_nobody_else_has_to() {
        long before = pid("order");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var placing = CompletableFuture.supplyAsync(() -> place("P", 300), threads);
            stack.stop("order-db");
            stack.start("order-db");
            stack.kill("order-db");
            stack.start("order-db");
            List<String> orders = placing.join();

            allPaid(orders);
            assertSentInOrder(orders);
        }
        assertThat(pid("order")).isEqualTo(before);
    }

    @Test
    void what_was_sent_and_not_acknowledged_when_the_service_was_killed_is_sent_again() {
        stack.pause("kafka");
        List<String> orders = place("A", 50);
        assertThat(Await.holds(SETTLING, () -> lagSeconds("order") > 2))
                .as("acknowledgements are pending")
                .isTrue();

        stack.kill("order");
        stack.resume("kafka");
        stack.start("order");

        allPaid(orders);
        assertSentInOrder(orders);
    }

    @Test
    void of_two_replicas_that_both_think_they_lead_one_relays() throws SQLException {
        stack.start("order#2");
        try {
            assertThat(Await.holds(SETTLING, () -> leads("order"))).isTrue();
            stack.pause("order");
            try (Connection administrator = stack.databases().administer("order");
                    var sql = administrator.createStatement()) {
                // What the paused leader holds is gone, but it does not know.
                sql.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and backend_type in ('client backend', 'walsender')");
            }
            assertThat(Await.holds(SETTLING, () -> leads("order#2")))
                    .as("the other one leads")
                    .isTrue();

            stack.resume("order");
            List<String> orders = place("R", 200);

            allPaid(orders);
            assertSentInOrder(orders);
            assertThat(Await.holds(SETTLING, () -> leads("order") != leads("order#2")))
                    .as("one of them leads")
                    .isTrue();
        } finally {
            stack.resume("order");
            stack.stop("order#2");
        }
    }

    @Test
    void a_registry_that_is_away_stops_nobody_who_has_seen_the_schemas_and_loses_nothing_of_who_has_not() {
        stack.kill("registry");
        allPaid(place("G", 20));

        stack.kill("inventory");
        stack.launch("inventory");
        List<String> orders = place("H", 20);
        stack.start("registry");

        allPaid(orders);
        assertSentInOrder(orders);
    }

    /** Places orders one by one from a few clients at once; each is accepted. */
    private List<String> place(String prefix, int count) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        var clients = new Semaphore(8);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 1; number <= count; number++) {
                String body = Merchant.order(prefix + "-" + number, "alice", "EUR", "tea", 1, 100);
                answers.add(CompletableFuture.supplyAsync(
                        () -> {
                            clients.acquireUninterruptibly();
                            try {
                                return merchant.place(body);
                            } finally {
                                clients.release();
                            }
                        },
                        threads));
            }
        }
        List<Answer> all = answers.stream().map(CompletableFuture::join).toList();
        assertThat(all).allMatch(answer -> answer.status() == 202);
        return new ArrayList<>(
                all.stream().map(answer -> answer.text("orderId")).toList());
    }

    private void allPaid(List<String> orders) {
        for (String order : orders) {
            assertThat(merchant.await(order, Merchant.TERMINAL, SETTLING).text("status"))
                    .as(order)
                    .isEqualTo("PAID");
        }
    }

    /** What order-service announced about each order is in Kafka, in the order in which it was announced. */
    private void assertSentInOrder(List<String> orders) {
        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
        var wanted = new HashSet<>(orders);
        var announced = new HashMap<String, List<String>>();
        try (Connection order = stack.databases().connect("order");
                var sql = order.createStatement();
                var rows = sql.executeQuery(
                        "select aggregate_id, id from outbox where topic = 'order.events' order by seq")) {
            while (rows.next()) {
                if (wanted.contains(rows.getString(1))) {
                    announced
                            .computeIfAbsent(rows.getString(1), key -> new ArrayList<>())
                            .add(rows.getString(2));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        assertThat(firstSeen("order.events", wanted)).isEqualTo(announced);
    }

    /** The events of each key in the order in which they first came; the relay may repeat itself. */
    private Map<String, List<String>> firstSeen(String topic, Set<String> keys) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                stack.bootstrapServers(),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
        var seen = new HashMap<String, List<String>>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(
                            partition -> consumer.position(partition) < Objects.requireNonNull(ends.get(partition)))) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    if (keys.contains(record.key())) {
                        String id =
                                new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8);
                        List<String> ids = seen.computeIfAbsent(record.key(), key -> new ArrayList<>());
                        if (!ids.contains(id)) {
                            ids.add(id);
                        }
                    }
                });
            }
        }
        return seen;
    }

    private long pid(String process) {
        return stack.states().stream()
                .filter(state -> state.name().equals(process))
                .map(PaymentSystem.State::pid)
                .findFirst()
                .map(Objects::requireNonNull)
                .orElseThrow();
    }

    private boolean leads(String replica) {
        return metric(replica, "paysaga_relay_leader") == 1;
    }

    private double lagSeconds(String replica) {
        return metric(replica, "paysaga_outbox_lag_seconds");
    }

    /** The value of a metric without tags or with whatever tags; NaN when nobody answers. */
    private double metric(String replica, String name) {
        return get(replica, "/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private int health(String replica, String group) {
        return get(replica, "/actuator/health" + group).statusCode();
    }

    private HttpResponse<String> get(String replica, String path) {
        URI address = URI.create(
                "http://127.0.0.1:" + stack.ports().management(replica).number() + path);
        try {
            return http.send(
                    HttpRequest.newBuilder(address)
                            .timeout(Duration.ofSeconds(10))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(address + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
