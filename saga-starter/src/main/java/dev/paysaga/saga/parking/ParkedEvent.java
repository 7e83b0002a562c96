package dev.paysaga.saga.parking;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits for a person, or did.
 *
 * @param id derived from its place, so that a redelivery is the same parked event
 * @param consumer the service that could not handle it
 * @param topic where it came from
 * @param partition where it came from
 * @param offset where it came from
 * @param key the record's key; empty if it had none
 * @param eventId what the inbox knows it by: its own id, or one derived from its place if it cannot be read
 * @param eventType its full record name as far as anybody said so; null if nobody did
 * @param payload the record's value as it came; null for a tombstone
 * @param headers the record's headers; what is no text is given as {@code base64:…}
 * @param reason why it could not be handled, in plain words
 * @param status where it stands
 * @param parkedAt by the database's clock; null until stored
 * @param closedAt by the database's clock; null while it waits
 */
public record ParkedEvent(
        UUID id,
        String consumer,
        String topic,
        int partition,
        long offset,
        String key,
        UUID eventId,
        @Nullable String eventType,
        byte @Nullable [] payload,
        Map<String, String> headers,
        String reason,
        Status status,
        @Nullable Instant parkedAt,
        @Nullable Instant closedAt) {

    /** Where a parked event stands. */
    public enum Status {
        /** It could not be handled. */
        PARKED,
        /** It came behind a parked one of its key, and keeps its place there. */
        QUEUED,
        /** It was handled after all. */
        REDRIVEN,
        /** A person decided to do without it. */
        SKIPPED;

        public boolean waits() {
            return this == PARKED || this == QUEUED;
        }
    }

    public ParkedEvent {
        headers = Map.copyOf(headers);
    }

    /** Records without a key have no order among themselves: none of them waits behind another. */
    public boolean hasKey() {
        return !key.isEmpty();
    }

    /** Topic, partition and offset, as people write them. */
    public String place() {
        return topic + "/" + partition + "@" + offset;
    }

    ParkedEvent because(String newReason) {
        return new ParkedEvent(
                id, consumer, topic, partition, offset, key, eventId, eventType, payload, headers, newReason, status,
                parkedAt, closedAt);
    }

    /** Without payload and headers, which belong in no log. */
    @Override
    public String toString() {
        return "ParkedEvent[" + id + " " + place() + " key=" + key + " event=" + eventId + " type=" + eventType + " "
                + status + "]";
    }
}
