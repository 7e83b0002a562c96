package dev.paysaga.reconciliation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the four services have written down about one window, as they have written it. */
final class Books {

    record Line(String sku, long quantity) {}

    /** @param planned the service will go on with it by itself, at a deadline */
    record Order(
            UUID id,
            String merchant,
            long amount,
            String currency,
            int state,
            long refunded,
            List<Line> lines,
            boolean planned) {}

    record Refund(UUID order, String number, long amount, int state, List<Line> restock) {
        String key() {
            return order + "/" + number;
        }
    }

    record Reservation(UUID order, String merchant, int state, List<Line> lines) {}

    record Restock(UUID order, String refund, String merchant, List<Line> lines) {
        String key() {
            return order + "/" + refund;
        }
    }

    record Transfer(
            UUID id,
            String debit,
            String credit,
            long amount,
            String currency,
            String kind,
            @Nullable UUID order,
            @Nullable String refund,
            @Nullable UUID pendingOf,
            @Nullable UUID workOrder) {}

    record Payment(UUID order, String merchant, int state) {}

    record Notification(
            UUID order,
            String merchant,
            String kind,
            @Nullable String refund) {
        String key() {
            return order + "/" + kind + "/" + Objects.requireNonNullElse(refund, "");
        }
    }

    /** An outbox row. */
    record Announced(UUID id, String service, String topic, String type, String key, Instant at, boolean relayed) {}

    /** An inbox row. */
    record Heard(UUID id, String topic, Instant at) {}

    final Map<UUID, Order> orders = new HashMap<>();
    final List<Refund> refunds = new ArrayList<>();
    final Map<UUID, Reservation> reservations = new HashMap<>();
    final List<Restock> restocks = new ArrayList<>();
    final List<Transfer> transfers = new ArrayList<>();
    final Map<UUID, Payment> payments = new HashMap<>();
    final List<Notification> notifications = new ArrayList<>();
    final Map<UUID, Announced> outboxes = new HashMap<>();
    final Map<String, Map<UUID, Heard>> inboxes = new HashMap<>();

    /** Orders that a person has to decide about, whatever it is. */
    final Set<UUID> inAPersonsHands = new HashSet<>();

    /** Events that wait in a service for a person, by service. */
    final Map<String, Set<UUID>> parked = new HashMap<>();

    /** Orders with a refund that account-service will try again by itself. */
    final Set<UUID> planned = new HashSet<>();

    private static final Map<String, List<String>> SECTIONS = Map.of(
            "order", List.of("orders", "refunds"),
            "inventory", List.of("reservations", "restocks"),
            "account", List.of("transfers", "payments", "refunds"),
            "notification", List.of("notifications"));

    private static final List<String> COMMON = List.of("outbox", "inbox", "parkedEvents", "workOrders");

    static Books of(Statements statements, Window window) {
        var books = new Books();
        for (String service : Comparison.SERVICES) {
            var sections = new ArrayList<>(SECTIONS.getOrDefault(service, List.of()));
            sections.addAll(COMMON);
            statements.read(service, window, sections, (section, row) -> books.add(service, section, row));
        }
        return books;
    }

    private void add(String service, String section, JsonNode row) {
        switch (section) {
            case "orders" -> orders.put(id(row, "orderId"), order(row));
            case "refunds" -> {
                if (service.equals("order")) {
                    refunds.add(new Refund(
                            id(row, "orderId"),
                            text(row, "refundNo"),
                            row.path("amount").asLong(),
                            row.path("state").asInt(),
                            lines(row.path("restock"))));
                } else if (!row.path("nextAttemptAt").isNull()) {
                    planned.add(id(row, "orderId"));
                }
            }
            case "reservations" ->
                reservations.put(
                        id(row, "orderId"),
                        new Reservation(
                                id(row, "orderId"),
                                text(row, "merchantId"),
                                row.path("state").asInt(),
                                lines(row.path("lines"))));
            case "restocks" ->
                restocks.add(new Restock(
                        id(row, "orderId"), text(row, "refundNo"), text(row, "merchantId"), lines(row.path("lines"))));
            case "transfers" -> transfers.add(transfer(row));
            case "payments" ->
                payments.put(
                        id(row, "orderId"),
                        new Payment(
                                id(row, "orderId"),
                                text(row, "merchantId"),
                                row.path("state").asInt()));
            case "notifications" ->
                notifications.add(new Notification(
                        id(row, "orderId"),
                        text(row, "merchantId"),
                        text(row, "kind"),
                        row.path("refundNo").textValue()));
            case "outbox" -> outboxes.put(id(row, "id"), announced(service, row));
            case "inbox" ->
                inboxes.computeIfAbsent(text(row, "consumer"), consumer -> new HashMap<>())
                        .put(
                                id(row, "eventId"),
                                new Heard(
                                        id(row, "eventId"),
                                        text(row, "topic"),
                                        Instant.parse(text(row, "receivedAt"))));
            case "parkedEvents" -> parked(row);
            case "workOrders" -> inAPersonsHands.add(id(row, "aggregateId"));
            default -> throw new StatementUnavailable("nobody asked " + service + " for " + section);
        }
    }

    /** What is parked is in a person's hands, and so is the order it is about. */
    private void parked(JsonNode row) {
        UUID event = uuid(row.path("eventId").textValue());
        if (event != null) {
            parked.computeIfAbsent(text(row, "consumer"), consumer -> new HashSet<>())
                    .add(event);
        }
        UUID order = uuid(row.path("key").textValue());
        if (order != null) {
            inAPersonsHands.add(order);
        }
    }

    private static Order order(JsonNode row) {
        return new Order(
                id(row, "orderId"),
                text(row, "merchantId"),
                row.path("amount").asLong(),
                text(row, "currency"),
                row.path("state").asInt(),
                row.path("refundedAmount").asLong(),
                lines(row.path("lines")),
                !row.path("deadlineAt").isNull());
    }

    private static Transfer transfer(JsonNode row) {
        return new Transfer(
                id(row, "transferId"),
                text(row, "debitAccount"),
                text(row, "creditAccount"),
                row.path("amount").asLong(),
                text(row, "currency"),
                text(row, "kind"),
                uuid(row.path("orderId").textValue()),
                row.path("refundNo").textValue(),
                uuid(row.path("pendingOf").textValue()),
                uuid(row.path("workOrderId").textValue()));
    }

    private static Announced announced(String service, JsonNode row) {
        return new Announced(
                id(row, "id"),
                service,
                text(row, "topic"),
                text(row, "type"),
                text(row, "key"),
                Instant.parse(text(row, "createdAt")),
                row.path("relayed").asBoolean());
    }

    private static List<Line> lines(JsonNode json) {
        var lines = new ArrayList<Line>();
        for (JsonNode line : json) {
            lines.add(new Line(text(line, "sku"), line.path("quantity").asLong()));
        }
        return List.copyOf(lines);
    }

    private static UUID id(JsonNode row, String member) {
        return UUID.fromString(text(row, member));
    }

    static @Nullable UUID uuid(@Nullable String text) {
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException something) {
            return null;
        }
    }

    private static String text(JsonNode row, String member) {
        String text = row.path(member).textValue();
        if (text == null) {
            throw new StatementUnavailable("a statement has a row without " + member + ": " + row);
        }
        return text;
    }
}
