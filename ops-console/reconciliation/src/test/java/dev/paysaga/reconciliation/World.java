package dev.paysaga.reconciliation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * A system with one paid order of 3 tea for 300, half of which was refunded with 1 tea, and one that was canceled. The
 * services state it over HTTP, as the real ones do; tests damage what they state.
 */
final class World implements AutoCloseable, EventLog {

    static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
    static final UUID PAID = id(1);
    static final UUID CANCELED = id(2);
    static final UUID HOLD = id(3);
    static final UUID HOLD_OF_CANCELED = id(5);

    /** The work order about a difference that was posted. */
    static final UUID POSTING = id(40);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, List<ObjectNode>> rows = new HashMap<>();
    private final List<Published> published = new ArrayList<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<String, Map<TopicPartition, Long>> done = new HashMap<>();

    World() throws IOException {
        add("order/orders", order(PAID, 300, 61, 150, "[{'sku':'tea','quantity':3,'unitPrice':100}]"));
        add("order/orders", order(CANCELED, 100, 51, 0, "[{'sku':'tea','quantity':1,'unitPrice':100}]"));
        add(
                "order/refunds",
                "{'orderId':'%s','refundNo':'R1','amount':150,'state':2,'restock':[{'sku':'tea','quantity':1}]}",
                PAID);
        add(
                "inventory/reservations",
                "{'orderId':'%s','merchantId':'m','state':2,'lines':[{'sku':'tea','quantity':3}]}",
                PAID);
        add(
                "inventory/reservations",
                "{'orderId':'%s','merchantId':'m','state':3,'lines':[{'sku':'tea','quantity':1}]}",
                CANCELED);
        add(
                "inventory/restocks",
                "{'orderId':'%s','refundNo':'R1','merchantId':'m','lines':[{'sku':'tea','quantity':1}]}",
                PAID);
        add(
                "inventory/shelves",
                "{'merchantId':'m','sku':'tea','shelf':true,'onHand':8,'reserved':0,'received':10,'committed':3,'restocked':1,'reservedByReservations':0}");
        add("account/accounts", account("m/alice", "WALLET", 850, 0, 850, 0));
        add("account/accounts", account("m/shop", "MERCHANT", 0, 0, 150, 0));
        add("account/accounts", account("~/EXTERNAL-EUR", "EXTERNAL", 0, 0, -1000, 0));
        add("account/accounts", account("~/SUSPENSE-EUR", "SUSPENSE", 0, 0, 0, 0));
        add("account/transfers", transfer(HOLD, "m/alice", "m/shop", 300, "HOLD", PAID, null, null));
        add("account/transfers", transfer(id(4), "m/alice", "m/shop", 300, "CAPTURE", PAID, null, HOLD));
        add("account/transfers", transfer(id(7), "m/shop", "m/alice", 150, "REFUND", PAID, "R1", null));
        add("account/transfers", transfer(HOLD_OF_CANCELED, "m/alice", "m/shop", 100, "HOLD", CANCELED, null, null));
        add("account/transfers", transfer(id(6), "m/alice", "m/shop", 100, "VOID", CANCELED, null, HOLD_OF_CANCELED));
        add("account/payments", "{'orderId':'%s','merchantId':'m','state':5}", PAID);
        add("account/payments", "{'orderId':'%s','merchantId':'m','state':8}", CANCELED);
        add("account/refunds", "{'orderId':'%s','refundNo':'R1','nextAttemptAt':null}", PAID);
        add("notification/notifications", notification(PAID, "OrderPaid", null));
        add("notification/notifications", notification(PAID, "OrderRefunded", "R1"));
        add("notification/notifications", notification(CANCELED, "OrderClosed", null));
        event(20, "order", "order.events", "OrderPlaced", PAID, "inventory");
        event(21, "inventory", "inventory.events", "StockReserved", PAID, "order", "account");
        event(22, "order", "order.events", "OrderPaid", PAID, "notification");
        event(23, "order", "order.compensations", "OrderCanceled", CANCELED, "inventory", "account");
        event(24, "inventory", "inventory.compensations", "StockRestocked", PAID);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String service = exchange.getRequestURI().getPath().split("/")[1];
            byte[] body =
                    statement(service, exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
            boolean allowed = "Bearer ops".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(allowed ? 200 : 403, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    static UUID id(int number) {
        return new UUID(NOW.minusSeconds(3600).toEpochMilli() << 16 | 0x7000, 0x8000_0000_0000_0000L | number);
    }

    /** An event that has been announced, is in its topic, and was heard. */
    void event(int number, String from, String topic, String type, UUID order, String... by) {
        add(
                from + "/outbox",
                "{'id':'%s','topic':'%s','type':'%s','key':'%s','createdAt':'%s','relayed':true}",
                id(number),
                topic,
                type,
                order,
                NOW.minusSeconds(60));
        var partition = new TopicPartition(topic, 0);
        long offset = ends.merge(partition, 1L, Long::sum) - 1;
        published.add(new Published(
                id(number), partition, offset, order.toString(), type, "/paysaga/" + from, NOW.minusSeconds(60)));
        for (String service : by) {
            add(
                    service + "/inbox",
                    "{'eventId':'%s','topic':'%s','consumer':'%s','receivedAt':'%s'}",
                    id(number),
                    topic,
                    service,
                    NOW.minusSeconds(50));
        }
        Listeners.GROUPS.forEach(
                group -> done.computeIfAbsent(group, any -> new HashMap<>()).put(partition, offset + 1));
    }

    void add(String section, String row, Object... values) {
        rows.computeIfAbsent(section, any -> new ArrayList<>()).add(json(row.formatted(values)));
    }

    /** A difference was posted; all sums are into suspense. */
    void posted(String account, long adjusted, long returned, long paidOut, String status, Long owed) {
        add(
                "account/adjustments",
                "{'workOrderId':'%s','currency':'EUR','accountKey':'%s','adjusted':%d,'returned':%d,'paidOut':%d,"
                        + "'aggregateId':%s,'merchantId':'m','status':%s,'owed':%s}",
                POSTING,
                account,
                adjusted,
                returned,
                paidOut,
                quoted(status == null ? null : id(40)),
                quoted(status),
                owed);
    }

    /** Changes the rows of a section that contain these texts: each or one of several that are all needed. */
    void change(String section, Consumer<ObjectNode> change, Object... texts) {
        found(section, texts).forEach(change);
    }

    void remove(String section, Object... texts) {
        List<ObjectNode> found = found(section, texts);
        rows.getOrDefault(section, List.of()).removeAll(found);
    }

    private List<ObjectNode> found(String section, Object... texts) {
        List<ObjectNode> found = rows.getOrDefault(section, List.of()).stream()
                .filter(row ->
                        Arrays.stream(texts).allMatch(text -> row.toString().contains(text.toString())))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no row of " + section + " has " + Arrays.toString(texts));
        }
        return found;
    }

    /** Takes an event out of its topic. */
    void lose(int number) {
        published.removeIf(event -> event.id().equals(id(number)));
    }

    /** A group has not done with anything yet. */
    void behind(String group) {
        done.remove(group);
    }

    /** The topics were empty when the statements were asked for. */
    void allNew() {
        ends.clear();
    }

    Report compare() {
        var statements = new Statements(
                Comparison.SERVICES.stream()
                        .collect(Collectors.toMap(
                                service -> service,
                                service -> URI.create("http://127.0.0.1:"
                                        + server.getAddress().getPort() + "/" + service + "/"))),
                () -> "ops");
        return new Comparison(statements, this, Clock.fixed(NOW, ZoneOffset.UTC)).run(List.of(Window.ALL));
    }

    @Override
    public Progress progress() {
        return new Progress(Map.copyOf(ends), Map.copyOf(done));
    }

    @Override
    public Collection<Published> read(Window window) {
        return published.stream().filter(event -> window.contains(event.id())).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private String statement(String service, String query) {
        String wanted = query.replaceFirst(".*sections=([A-Za-z,]*).*", "$1");
        ObjectNode statement = JSON.createObjectNode();
        statement.putObject("watermark").put("takenAt", NOW.toString());
        for (String section : wanted.split(",")) {
            statement.putArray(section).addAll(rows.getOrDefault(service + "/" + section, List.of()));
        }
        return statement.put("complete", true).toString();
    }

    private static String order(UUID id, long amount, int state, long refunded, String lines) {
        return "{'orderId':'%s','merchantId':'m','currency':'EUR','amount':%d,'state':%d,'refundedAmount':%d,'lines':%s,'deadlineAt':null}"
                .formatted(id, amount, state, refunded, lines);
    }

    private static String account(
            String key, String kind, long posted, long held, long byTransfers, long heldByTransfers) {
        return "{'accountKey':'%s','merchantId':'%s','kind':'%s','currency':'EUR','posted':%d,'held':%d,'postedByTransfers':%d,'heldByTransfers':%d,'rolledUp':0,'rolledUpByTransfers':0}"
                .formatted(key, key.substring(0, 1), kind, posted, held, byTransfers, heldByTransfers);
    }

    private static String transfer(
            UUID id, String debit, String credit, long amount, String kind, UUID order, String refund, UUID pendingOf) {
        return "{'transferId':'%s','debitAccount':'%s','creditAccount':'%s','amount':%d,'currency':'EUR','kind':'%s','orderId':'%s','refundNo':%s,'pendingOf':%s}"
                .formatted(id, debit, credit, amount, kind, order, quoted(refund), quoted(pendingOf));
    }

    private static String notification(UUID order, String kind, String refund) {
        return "{'orderId':'%s','merchantId':'m','kind':'%s','refundNo':%s}".formatted(order, kind, quoted(refund));
    }

    private static String quoted(Object value) {
        return value == null ? "null" : "'" + value + "'";
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
