package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.simulation.history.History;
import dev.paysaga.simulation.history.HistoryReplay;
import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Merchant;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackIT {

    private static final Duration SETTLING = Duration.ofMinutes(6);

    private static final CommandLine PAYSAGA = new CommandLine("stack");

    @TempDir
    Path folder;

    private final Stack stack = PAYSAGA.stack();
    private final Services services = new Services(stack);

    @BeforeAll
    static void up() {
        assertThat(PAYSAGA.run("up", "--fresh")).matches(result -> result.code() == 0, "up succeeds");
    }

    @AfterAll
    static void down() {
        assertThat(PAYSAGA.run("down").code()).isZero();
    }

    @Test
    void everything_runs_in_less_than_three_gigabytes_and_quiet() {
        stack.quiet().await(SETTLING);

        JsonNode status = status();

        assertThat(status.path("quiet").asBoolean()).as(status.toPrettyString()).isTrue();
        assertThat(status.path("rssBytes").asLong()).isBetween(500L << 20, 3L << 30);
        assertThat(states(status))
                .hasSize(12)
                .containsOnlyKeys(
                        "order-db",
                        "inventory-db",
                        "account-db",
                        "notification-db",
                        "console-db",
                        "kafka",
                        "registry",
                        "order",
                        "inventory",
                        "account",
                        "notification",
                        "console");
        assertThat(states(status).values()).containsOnly("ready");
    }

    @Test
    void starting_what_runs_changes_nothing() {
        JsonNode before = status();

        assertThat(PAYSAGA.run("up").code()).isZero();

        assertThat(pids(status())).isEqualTo(pids(before));
    }

    @Test
    void a_taken_port_is_named_with_who_has_it_and_the_variable() {
        var second = new CommandLine("second").with("PAYSAGA_KAFKA_PORT", PAYSAGA.variable("PAYSAGA_KAFKA_PORT"));

        CommandLine.Result up = second.run("up", "--servers-only");

        assertThat(up.code()).isEqualTo(1);
        assertThat(up.output())
                .contains("Port " + PAYSAGA.variable("PAYSAGA_KAFKA_PORT") + " (kafka) is taken")
                .contains("choose another port with PAYSAGA_KAFKA_PORT");
        assertThat(second.run("status").output()).doesNotContain("ready");
    }

    @Test
    void an_unknown_process_is_answered_with_those_there_are() {
        CommandLine.Result kill = PAYSAGA.run("kill", "everything");

        assertThat(kill.code()).isEqualTo(1);
        assertThat(kill.output()).contains("no process called everything").contains("order-db");
    }

    @Test
    void orders_published_to_kafka_are_placed() throws IOException {
        Merchant merchant = merchantWithStock();
        Path file = Files.writeString(folder.resolve("orders.json"), """
                {"merchantId":"%1$s","outTradeNo":"K-1","payerAccountId":"alice","currency":"EUR","lines":[{"sku":"tea","quantity":2,"unitPrice":100}]}
                {"merchantId":"%1$s","outTradeNo":"K-1","payerAccountId":"alice","currency":"EUR","lines":[{"sku":"tea","quantity":2,"unitPrice":100}]}
                """.formatted(merchant.id()));

        CommandLine.Result publish = PAYSAGA.run("publish", "order.requests", file.toString());

        assertThat(publish.output()).contains("2 events published to order.requests.");
        Await.holds(SETTLING, () -> merchant.stock("tea").number("onHand") == 98);
        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
        assertThat(merchant.stock("tea").number("onHand"))
                .as("one order of two units, however often it is requested")
                .isEqualTo(98);
        assertThat(merchant.account("alice").number("posted")).isEqualTo(1_000_000 - 200);
    }

    @Test
    void a_mistake_in_a_file_publishes_nothing_and_names_the_line() throws IOException {
        Path file = Files.writeString(folder.resolve("orders.json"), "\n{\"merchantId\":\"m\"}\n");

        CommandLine.Result publish = PAYSAGA.run("publish", "order.requests", file.toString());

        assertThat(publish.code()).isEqualTo(1);
        assertThat(publish.output())
                .contains("line 2: field outTradeNo is missing")
                .contains("Nothing was published");
    }

    @Test
    void garbage_in_every_topic_harms_no_other_order() throws Exception {
        Merchant merchant = merchantWithStock();
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, stack.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            for (String topic : PaymentSaga.topics()) {
                producer.send(new ProducerRecord<>(topic, UUID.randomUUID().toString(), new byte[] {7, 7, 7}))
                        .get();
                producer.send(new ProducerRecord<>(topic, null, null, new byte[] {0, 0, 0, 0, 99, 1}))
                        .get();
            }
        }

        for (int number = 1; number <= 24; number++) {
            Answer order = merchant.place(Merchant.order("G-" + number, "alice", "EUR", "tea", 1, 100));
            assertThat(merchant.await(order.text("orderId"), Merchant.TERMINAL, SETTLING)
                            .text("status"))
                    .isEqualTo("PAID");
        }
    }

    @Test
    void what_was_there_is_there_after_everything_was_killed_at_once() {
        Merchant merchant = merchantWithStock();
        String orderId = merchant.place(Merchant.order("D-1", "alice", "EUR", "tea", 1, 100))
                .text("orderId");
        assertThat(merchant.await(orderId, Merchant.TERMINAL, SETTLING).text("status"))
                .isEqualTo("PAID");

        stack.states().forEach(state -> stack.kill(state.name()));
        assertThat(states(status()).values()).containsOnly("dead");
        assertThat(PAYSAGA.run("up").code()).isZero();

        assertThat(merchant.order(orderId).text("status")).isEqualTo("PAID");
        assertThat(merchant.stock("tea").number("onHand")).isEqualTo(99);
    }

    @Test
    void two_thousand_orders_settle_though_every_process_is_killed_once() {
        int orders = 2_000;
        Merchant merchant = merchantWithStock();
        merchant.receive("tea", "more", orders);
        Set<String> orderIds = ConcurrentHashMap.newKeySet();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new Semaphore(16);
            List<CompletableFuture<Void>> placed = new ArrayList<>();
            for (int number = 1; number <= orders; number++) {
                String body = Merchant.order("F-" + number, "alice", "EUR", "tea", 1, 100);
                placed.add(CompletableFuture.runAsync(
                        () -> {
                            clients.acquireUninterruptibly();
                            try {
                                orderIds.add(merchant.place(body).text("orderId"));
                            } finally {
                                clients.release();
                            }
                        },
                        threads));
            }
            stack.states().forEach(process -> {
                stack.kill(process.name());
                stack.start(process.name());
            });
            placed.forEach(CompletableFuture::join);
        }

        assertThat(orderIds).hasSize(orders);
        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
        assertThat(PAYSAGA.run("reconcile"))
                .matches(report -> report.output().contains("the books balance: no difference"), "the books balance")
                .matches(report -> report.code() == 0, "exit code 0");
        History history = RecordedHistory.of(stack);
        assertThat(history.transitions()).hasSizeGreaterThan(orders * 5);
        assertThat(HistoryReplay.deviations(history))
                .as("what the services did, and their reactions do not allow")
                .isEmpty();
        orderIds.stream()
                .skip(ThreadLocalRandom.current().nextInt(orders - 20))
                .limit(20)
                .forEach(orderId ->
                        assertThat(merchant.order(orderId).text("status")).isIn(Merchant.TERMINAL));
    }

    private Merchant merchantWithStock() {
        Merchant merchant = services.merchant("it-" + UUID.randomUUID());
        merchant.openMerchantAccount("shop", "EUR");
        merchant.openWallet("alice", "EUR", 1_000_000);
        merchant.receive("tea", "first", 100);
        return merchant;
    }

    private static JsonNode status() {
        try {
            return new ObjectMapper().readTree(PAYSAGA.run("status", "--json").output());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> states(JsonNode status) {
        return members(status, "state");
    }

    private static Map<String, String> pids(JsonNode status) {
        return members(status, "pid");
    }

    private static Map<String, String> members(JsonNode status, String member) {
        var members = new HashMap<String, String>();
        status.path("processes")
                .forEach(process -> members.put(
                        process.path("name").asText(), process.path(member).asText()));
        return members;
    }
}
