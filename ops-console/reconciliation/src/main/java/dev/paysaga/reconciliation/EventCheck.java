package dev.paysaga.reconciliation;

import dev.paysaga.reconciliation.Books.Announced;
import dev.paysaga.reconciliation.EventLog.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Outboxes ⊆ topics ⊆ inboxes, for one window. Says at the same time which orders are moving: an event about them is not in
 * its topic yet, or somebody who reacts to it has not heard it yet. The four statements are snapshots of four moments; an
 * order is judged only if nothing about it happened between them.
 *
 * <p>The order of reading decides what can be said: first how far the topics and their readers are, then the statements, then
 * the topics. An event that was in its topic before the statements must be in its outbox in them; one that a reader had done
 * with must be in its inbox; one that is marked as relayed must be in its topic afterwards.
 */
final class EventCheck {

    /** A day less than what an outbox keeps; inboxes and topics keep more. */
    private static final Duration KEPT = Duration.ofDays(2);

    /** Inboxes forget an event by the start of its saga: a day less than they keep. */
    private static final Duration REMEMBERED = Duration.ofDays(7);

    /** Others may write there. */
    private static final Set<String> PUBLIC_TOPICS = Set.of("order.requests", "ops.commands");

    private final Books books;
    private final Progress before;
    private final Map<UUID, Published> published = new HashMap<>();
    private final Instant now;
    private final Findings findings;
    private final Set<String> moving = new HashSet<>();

    EventCheck(Books books, Progress before, Collection<Published> published, Instant now, Findings findings) {
        this.books = books;
        this.before = before;
        this.now = now;
        this.findings = findings;
        published.forEach(event -> this.published.putIfAbsent(event.id(), event));
    }

    /** @return keys of what is moving: order ids */
    Set<String> run() {
        books.outboxes.values().forEach(this::announced);
        published.values().forEach(this::published);
        books.inboxes.forEach((service, heard) -> heard.values().forEach(event -> heard(service, event)));
        findings.count("events in the outboxes", books.outboxes.size());
        findings.count(
                "distinct events in the topics",
                published.values().stream()
                        .filter(event -> Comparison.SERVICES.contains(event.service()))
                        .count());
        return moving;
    }

    private void announced(Announced row) {
        Published event = published.get(row.id());
        if (event == null) {
            if (!row.relayed()) {
                moving.add(row.key());
            } else if (isRecent(row.at())) {
                differ(
                        "event-lost",
                        row.id(),
                        row.type() + " of " + row.key() + " is in the outbox of " + row.service() + " for "
                                + row.topic() + ", and not in Kafka");
            }
        } else if (!event.topic().equals(row.topic())) {
            differ(
                    "event-in-another-topic",
                    row.id(),
                    row.type() + " of " + row.key() + " was meant for " + row.topic() + ", and is in " + event.topic());
        }
    }

    private void published(Published event) {
        if (!before.hadSeen(event)) {
            moving.add(event.key());
            return;
        }
        if (!Comparison.SERVICES.contains(event.service())) {
            return;
        }
        if (!books.outboxes.containsKey(event.id()) && isRecent(event.time())) {
            differ(
                    "event-without-outbox-row",
                    event.id(),
                    event.type() + " of " + event.key() + " is in " + event.topic() + ", and not in the outbox of "
                            + event.service());
        }
        if (isRecent(event.time()) && Window.time(event.id()).isAfter(now.minus(REMEMBERED))) {
            Listeners.of(event).forEach(group -> listened(group, event));
        }
        if (event.type().equals("OrderPlaced")) {
            placed(event);
        }
    }

    private void listened(String group, Published event) {
        String service = Listeners.service(group);
        if (books.inboxes.getOrDefault(service, Map.of()).containsKey(event.id())
                || books.parked.getOrDefault(service, Set.of()).contains(event.id())) {
            return;
        }
        if (before.hadPassed(group, event)) {
            differ(
                    "event-not-heard",
                    event.id(),
                    event.type() + " of " + event.key() + " is in " + event.topic() + ", " + service
                            + " has done with it, and it is not in its inbox");
        } else {
            moving.add(event.key());
        }
    }

    private void placed(Published event) {
        UUID order = Books.uuid(event.key());
        if (order != null && !books.orders.containsKey(order)) {
            findings.about("order-missing", order, null, "OrderPlaced " + event.id() + " is in " + event.topic());
        }
    }

    private void heard(String service, Books.Heard event) {
        if (!PUBLIC_TOPICS.contains(event.topic()) && !published.containsKey(event.id()) && isRecent(event.at())) {
            differ(
                    "event-heard-and-not-published",
                    event.id(),
                    "it is in the inbox of " + service + ", and not in " + event.topic());
        }
    }

    private boolean isRecent(Instant time) {
        return time.isAfter(now.minus(KEPT));
    }

    private void differ(String rule, UUID event, String detail) {
        findings.about(rule, event, event.toString(), null, detail, null, null);
    }
}
