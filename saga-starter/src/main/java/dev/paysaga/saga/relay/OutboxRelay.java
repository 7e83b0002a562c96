package dev.paysaga.saga.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Relays the outbox to Kafka, in one replica at a time, for as long as the service runs and whatever happens to PostgreSQL and
 * Kafka meanwhile.
 *
 * <p>The replica that gets an advisory lock leads; the lock is bound to its connection and gone with it. The replication slot
 * admits one reader, which is the fence. A term of leadership always begins in the same way: care for the slot, take hold of it,
 * send by query what the log may not show any more ({@link BackFill}), then stream. Whatever fails ends the term, and the next
 * one begins from the start, here or in another replica: at least once, in order per key.
 */
public final class OutboxRelay implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

    /** First half of the advisory lock's key: "Saga" in ASCII, so that nobody else's lock is met by chance. */
    private static final int LOCK = 0x53616761;

    private static final Duration FOLLOWER_LOOKS_EVERY = Duration.ofMillis(200);
    private static final Duration FOLLOWER_MEASURES_EVERY = Duration.ofSeconds(5);
    private static final Duration SLOT_MEASURED_EVERY = Duration.ofSeconds(5);

    /** An orderly end takes Debezium a few hundred milliseconds; after this it is cut short, since a successor waits. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** Before anything that writes starts, and after it has stopped, so that the last announcements still leave. */
    private static final int EARLY = -500;

    private final RelayDatabase database;
    private final RelayDatabase owner;
    private final RelayProperties properties;
    private final Map<String, Object> kafka;
    private final CloudEvents cloudEvents;
    private final RelayMetrics metrics;
    private final ReplicationSlot slot;
    private final RelayLag lag = new RelayLag();

    private volatile CountDownLatch stopping = new CountDownLatch(0);
    private volatile RelayState state = RelayState.STOPPED;
    private volatile long retainedBytes;
    private volatile @Nullable String problem;
    private @Nullable Thread supervisor;

    /**
     * @param database as the relay's role, which replicates and reads
     * @param owner the same database as the application's role, which keeps the state
     */
    OutboxRelay(
            RelayDatabase database,
            RelayDatabase owner,
            RelayProperties properties,
            Map<String, Object> kafka,
            CloudEvents cloudEvents,
            RelayMetrics metrics) {
        this.database = database;
        this.owner = owner;
        this.properties = properties;
        this.kafka = Map.copyOf(kafka);
        this.cloudEvents = cloudEvents;
        this.metrics = metrics;
        this.slot = new ReplicationSlot(properties.slotName());
    }

    /** What this replica does at present. */
    public RelayState state() {
        return state;
    }

    /** Rows this replica has sent by query instead of from the log. */
    public long healedRows() {
        return metrics.healedRows();
    }

    /** What was wrong when it last failed; null once relaying goes on. */
    public @Nullable String problem() {
        return problem;
    }

    /** Age of the oldest announcement that may not have reached Kafka, as far as this replica can tell. */
    public double lagSeconds() {
        return lag.seconds();
    }

    long retainedBytes() {
        return retainedBytes;
    }

    /** Makes the slot at once, so that it is there before the first writer; the rest happens on a thread of its own. */
    @Override
    public void start() {
        stopping = new CountDownLatch(1);
        state = RelayState.FOLLOWER;
        try (Connection connection = database.connectImpatiently("relay slot")) {
            if (slot.ensure(connection) != ReplicationSlot.Found.HEALTHY) {
                metrics.slotReplaced();
            }
        } catch (SQLException | IllegalStateException e) {
            LOG.warn("The replication slot could not be looked after at start-up; the leader will: {}", e.getMessage());
        }
        supervisor = Thread.ofPlatform().daemon().name("outbox-relay").start(this::supervise);
    }

    /** Hands over within two seconds; what Kafka has not acknowledged by then, the successor sends. */
    @Override
    public void stop() {
        stopping.countDown();
        @Nullable Thread ending = supervisor;
        try {
            if (ending != null && !ending.join(GRACE.multipliedBy(3))) {
                LOG.warn("The relay did not end in time; its connections end with the process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        state = RelayState.STOPPED;
    }

    @Override
    public boolean isRunning() {
        return state != RelayState.STOPPED;
    }

    @Override
    public int getPhase() {
        return EARLY;
    }

    private void supervise() {
        Duration pause = FIRST_PAUSE;
        while (!stopped()) {
            long began = System.nanoTime();
            // A follower knows its way to Kafka before it is needed.
            try (Connection connection = database.connectImpatiently("relay leader");
                    var publisher = new Publisher(kafka, cloudEvents, metrics.published(), metrics.refused())) {
                if (awaitLeadership(connection)) {
                    lead(connection, publisher);
                }
            } catch (Exception e) {
                failed(e);
            }
            boolean lasted =
                    System.nanoTime() - began > LONGEST_PAUSE.multipliedBy(4).toNanos();
            pause = lasted ? FIRST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            waitUnlessStopped(pause);
        }
    }

    /** @return false if the relay was stopped before it got the lock */
    private boolean awaitLeadership(Connection connection) throws SQLException {
        long measured = System.nanoTime() - FOLLOWER_MEASURES_EVERY.toNanos();
        while (!stopped()) {
            if (tryLock(connection)) {
                return true;
            }
            state = RelayState.FOLLOWER;
            problem = null;
            if (System.nanoTime() - measured >= FOLLOWER_MEASURES_EVERY.toNanos()) {
                measured = System.nanoTime();
                measureAsFollower(connection);
            }
            waitUnlessStopped(FOLLOWER_LOOKS_EVERY);
        }
        return false;
    }

    private void lead(Connection connection, Publisher publisher) throws Exception {
        state = RelayState.STARTING;
        LOG.info("This replica relays the outbox from now on");
        careForSlot();
        String term = UUID.randomUUID().toString();
        try (Connection keeper = owner.connectImpatiently("relay watermark")) {
            var relaying = new Relaying(
                    term,
                    publisher,
                    new BackFill(database, publisher),
                    new Commits(keeper),
                    new Watermark(keeper),
                    lag,
                    metrics,
                    properties.watermarkInterval());
            var stream = ChangeStream.start(database, properties, relaying);
            try {
                watch(connection, term, relaying, stream);
            } finally {
                end(stream, publisher);
                retainedBytes = 0;
            }
        }
    }

    /** Each mark is also the proof that the connection lives, and the lock with it. */
    private void watch(Connection connection, String term, Relaying relaying, ChangeStream stream) throws Exception {
        long measured = System.nanoTime() - SLOT_MEASURED_EVERY.toNanos();
        while (!stopped()) {
            long now = System.nanoTime();
            Watermark.mark(connection, term, now);
            if (now - measured >= SLOT_MEASURED_EVERY.toNanos()) {
                measured = now;
                retainedBytes = slot.retainedBytes(connection);
            }
            if (relaying.streaming()) {
                state = RelayState.LEADER;
                problem = null;
            }
            if (stream.awaitEnd(properties.watermarkInterval(), stopping)) {
                break;
            }
        }
        @Nullable Throwable failure = stream.failure();
        if (failure != null && !stopped()) {
            throw new IllegalStateException(reasonOf(failure), failure);
        }
    }

    private void careForSlot() throws SQLException {
        // Patient: a new slot waits for transactions that are open.
        try (Connection connection = database.connect("relay slot")) {
            slot.expelReader(connection);
            if (slot.ensure(connection) != ReplicationSlot.Found.HEALTHY) {
                metrics.slotReplaced();
            }
        }
    }

    private void end(ChangeStream stream, Publisher publisher) {
        stream.close();
        try {
            if (!stream.awaitEnd(GRACE)) {
                publisher.close();
                cutShort(stream);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cutShort(ChangeStream stream) throws InterruptedException {
        try (Connection connection = database.connectImpatiently("relay slot")) {
            slot.expelReader(connection);
        } catch (SQLException e) {
            LOG.debug("The reader of the slot could not be ended; the next leader will do it", e);
        }
        stream.awaitEnd(GRACE);
    }

    private boolean tryLock(Connection connection) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("select pg_try_advisory_lock(?, hashtext(?))")) {
            lock.setInt(1, LOCK);
            lock.setString(2, properties.slotName());
            try (ResultSet row = lock.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** From the database, so that an outbox that nobody relays shows everywhere. */
    private void measureAsFollower(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                        "select extract(epoch from clock_timestamp() - created_at) from outbox"
                                + " where tx >= (select watermark from relay_state) order by tx limit 1");
                ResultSet row = query.executeQuery()) {
            double age = row.next() ? row.getDouble(1) : 0;
            lag.proven(System.nanoTime() - (long) (age * 1e9), FOLLOWER_MEASURES_EVERY);
        }
    }

    private void failed(Exception e) {
        if (stopped()) {
            return;
        }
        state = RelayState.FAILED;
        problem = reasonOf(e);
        LOG.warn("The relay stopped and will start again: {}", problem);
        LOG.debug("Why the relay stopped", e);
    }

    /** The innermost cause that has something to say. */
    private static String reasonOf(Throwable e) {
        String reason = e.getClass().getSimpleName();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                reason = cause.getMessage();
            }
        }
        return reason;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private boolean stopped() {
        return stopping.getCount() == 0;
    }

    private void waitUnlessStopped(Duration patience) {
        try {
            stopping.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stopping.countDown();
            Thread.currentThread().interrupt();
        }
    }
}
