package dev.paysaga.stack.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.stack.events.JsonEvents;
import dev.paysaga.stack.events.Tail;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.wire.ConfluentWire;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/** Listens to all topics and prints what happens to the orders that are followed, the moment it is in Kafka. */
final class Timeline implements AutoCloseable {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    /** Fields that every line shows by its place, or that say nothing to a reader. */
    private static final Set<String> NOT_SHOWN = Set.of("orderId", "merchantId", "currency", "notifyUrl", "outTradeNo");

    private final PrintStream out;
    private final Tail tail;
    private final Thread thread;
    private final List<Tail.Seen> seen = new CopyOnWriteArrayList<>();
    private final Set<String> known = new HashSet<>();
    private final Set<Tail.Seen> repeated = new HashSet<>();
    private final Set<String> followed = new HashSet<>();
    private volatile boolean closed;
    private volatile Instant begin = Instant.now();

    Timeline(PaymentSystem system, PrintStream out) {
        this.out = out;
        this.tail = new Tail(
                ConfluentWire.of(system.registryUrl()), system.bootstrapServers(), PaymentSaga.topics(), false);
        this.thread = Thread.ofPlatform().name("timeline").daemon().start(this::listen);
    }

    private void listen() {
        tail.follow(this::note, () -> !closed);
        tail.close();
    }

    private synchronized void note(Tail.Seen record) {
        boolean again = record.id() != null && !known.add(record.id());
        if (again) {
            repeated.add(record);
        }
        seen.add(record);
        if (record.key() != null && followed.contains(record.key())) {
            print(record);
        }
    }

    /** A new story begins: times are counted from here, and older orders are followed no more. */
    synchronized void begin() {
        begin = Instant.now();
        followed.clear();
    }

    /** Prints what has happened to this order, and from now on whatever happens to it. */
    synchronized void follow(String orderId) {
        if (followed.add(orderId)) {
            seen.stream().filter(record -> orderId.equals(record.key())).forEach(this::print);
        }
    }

    /** Waits until an event of an order has been seen. */
    boolean sees(String orderId, String type, Duration atMost) {
        return Await.holds(atMost, () -> count(orderId, record -> record.type().equals(type)) > 0);
    }

    /** How many events of an order have been seen. */
    long count(String orderId, Predicate<Tail.Seen> which) {
        return seen.stream()
                .filter(record -> orderId.equals(record.key()))
                .filter(which)
                .count();
    }

    /** How many events of these orders have been seen. */
    long countAll(Set<String> orderIds, Predicate<Tail.Seen> which) {
        return seen.stream()
                .filter(record -> record.key() != null && orderIds.contains(record.key()))
                .filter(which)
                .count();
    }

    private void print(Tail.Seen record) {
        out.printf(
                "    %s %+6d ms  %-23s %-18s %s%n",
                CLOCK.format(record.time()),
                Duration.between(begin, record.time()).toMillis(),
                record.topic(),
                record.type(),
                (record.event() == null ? "undecodable: " + record.problem() : fields(record.event()))
                        + (repeated.contains(record) ? "  (sent again, changes nothing)" : ""));
    }

    /** What is worth reading in one line: {@code amount 12.50 EUR, 2 × tea, reason OUT_OF_STOCK}. */
    static String fields(SpecificRecord event) {
        ObjectNode json = JsonEvents.write(event);
        var text = new StringJoiner(", ");
        json.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (NOT_SHOWN.contains(field.getKey()) || value.isNull()) {
                return;
            }
            if (field.getKey().endsWith("mount") && json.has("currency")) {
                text.add(field.getKey() + " "
                        + money(value.asLong(), json.get("currency").asText()));
            } else if (value.isArray()) {
                text.add(lines(value));
            } else {
                text.add(field.getKey() + " " + value.asText());
            }
        });
        return text.toString();
    }

    private static String lines(JsonNode lines) {
        var parts = new ArrayList<String>();
        lines.forEach(line -> parts.add(
                line.path("quantity").asText() + " × " + line.path("sku").asText()));
        return String.join(" + ", parts);
    }

    /** Minor units as people write them: {@code 12.50 EUR}. */
    static String money(long minor, String currency) {
        int digits = java.util.Currency.getInstance(currency).getDefaultFractionDigits();
        return java.math.BigDecimal.valueOf(minor, digits).toPlainString() + " " + currency;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
