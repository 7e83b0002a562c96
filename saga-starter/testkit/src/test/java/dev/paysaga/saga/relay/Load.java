package dev.paysaga.saga.relay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A writer that appends to a few keys in turn, in small transactions, until it has written so many or is told to stop. */
final class Load implements AutoCloseable {

    private static final int KEYS = 7;
    private static final int ROWS = 3;

    private final RelayFixture outbox;
    private final int transactions;
    private final AtomicInteger done = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean wanted = true;

    private Load(RelayFixture outbox, int transactions) {
        this.outbox = outbox;
        this.transactions = transactions;
        Thread.ofPlatform().name("load").start(this::run);
    }

    static Load on(RelayFixture outbox, int transactions) {
        return new Load(outbox, transactions);
    }

    static Iterable<String> keys() {
        return java.util.stream.IntStream.range(0, KEYS)
                .mapToObj(n -> "key-" + n)
                .toList();
    }

    /** Waits until so many transactions were written. */
    void awaitWritten(int count) {
        RelayFixture.soon().until(() -> done.get() >= count);
    }

    /** Waits until all are written. */
    void finish() {
        RelayFixture.within(Duration.ofMinutes(2)).until(() -> ended.getCount() == 0);
    }

    @Override
    public void close() {
        wanted = false;
        finish();
    }

    private void run() {
        try {
            while (wanted && done.get() < transactions) {
                try {
                    outbox.append("key-" + done.get() % KEYS, ROWS);
                    done.incrementAndGet();
                } catch (org.springframework.dao.DataAccessException e) {
                    // The database is away: the next attempt is a transaction of its own.
                    Thread.onSpinWait();
                }
            }
        } finally {
            ended.countDown();
        }
    }
}
