package dev.paysaga.saga;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids of events and aggregates.
 *
 * <p>An event's id derives from its cause, so that whatever is replayed announces the same ids again. The producer is
 * part of it: otherwise two services that answer one cause would collide in a third one's inbox.
 */
public final class EventIds {

    private static final long VERSION_7 = 0x7000L;
    private static final long VERSION_8 = 0x8000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private EventIds() {}

    /**
     * A UUIDv8 (RFC 9562, section 5.8): the first 48 bits are the cause's, which are the saga's start in milliseconds all
     * along its chain of causes; the rest is SHA-256 over cause, producer, type and index.
     *
     * @param cause the event or aggregate that led to this event; a UUIDv7 or UUIDv8
     * @param producer the announcing service
     * @param type the event's type
     * @param index its place among the events of one decision, from 0
     */
    public static UUID derive(UUID cause, String producer, String type, int index) {
        ByteBuffer digest = ByteBuffer.wrap(sha256(cause + "/" + producer + "/" + type + "/" + index));
        long time = cause.getMostSignificantBits() & 0xFFFF_FFFF_FFFF_0000L;
        long high = time | VERSION_8 | (digest.getLong() & 0x0FFFL);
        long low = VARIANT | (digest.getLong() >>> 2);
        return new UUID(high, low);
    }

    /**
     * A UUIDv8 for something named by words, such as a request that carries no id.
     *
     * @param startedAt milliseconds since the epoch, kept in the first 48 bits
     * @param name what it is called; equal names get equal ids
     */
    public static UUID named(long startedAt, String name) {
        ByteBuffer digest = ByteBuffer.wrap(sha256(name));
        return new UUID(startedAt << 16 | VERSION_8 | (digest.getLong() & 0x0FFFL), VARIANT | (digest.getLong() >>> 2));
    }

    /**
     * A new UUIDv7 (RFC 9562, section 5.7): ordered by time, so that inserts touch warm pages.
     *
     * @param now milliseconds since the epoch
     */
    public static UUID next(long now) {
        var random = ThreadLocalRandom.current();
        return new UUID(now << 16 | VERSION_7 | random.nextLong() & 0x0FFFL, VARIANT | random.nextLong() >>> 2);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
