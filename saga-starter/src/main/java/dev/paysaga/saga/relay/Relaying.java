package dev.paysaga.saga.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.paysaga.saga.relay.Watermark.Mark;
import io.debezium.engine.RecordChangeEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to the changes of one term of leadership. First the back-fill; then every row is sent as it comes, without waiting
 * for Kafka; and at every mark everything sent before it is awaited, the watermark is raised and the log's place given up.
 */
final class Relaying implements ChangeStream.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(Relaying.class);

    private final String term;
    private final Publisher publisher;
    private final BackFill backFill;
    private final Commits commits;
    private final Watermark watermark;
    private final RelayLag lag;
    private final RelayMetrics metrics;
    private final Duration untilNextMark;

    /** When the back-fill was done; only later marks of ours lie behind all its rows. 0 before. */
    private volatile long healedAt;

    Relaying(
            String term,
            Publisher publisher,
            BackFill backFill,
            Commits commits,
            Watermark watermark,
            RelayLag lag,
            RelayMetrics metrics,
            Duration untilNextMark) {
        this.term = term;
        this.publisher = publisher;
        this.backFill = backFill;
        this.commits = commits;
        this.watermark = watermark;
        this.lag = lag;
        this.metrics = metrics;
        this.untilNextMark = untilNextMark;
    }

    @Override
    public boolean handle(List<RecordChangeEvent<SourceRecord>> batch) throws SQLException {
        if (!streaming()) {
            // The first batch is the proof that our reader holds the slot: from here on nobody else can move or drop
            // it.
            heal();
        }
        @Nullable Mark mark = null;
        var rows = new ArrayList<OutboxRow>();
        for (RecordChangeEvent<SourceRecord> change : batch) {
            if (!(change.record().value() instanceof Struct value)) {
                continue;
            }
            switch (value.getString("op")) {
                case "c" -> rows.add(OutboxRow.of(value.getStruct("after")));
                case "m" -> mark = markIn(value.getStruct("message"), mark);
                default -> LOG.debug("Left out a change that is neither a row nor a mark");
            }
        }
        commits.awaitVisible(rows);
        rows.forEach(this::relay);
        if (mark == null) {
            return false;
        }
        publisher.awaitAcknowledgements();
        reached(mark);
        return true;
    }

    /** Whether the back-fill is done and the log is being relayed. */
    boolean streaming() {
        return healedAt != 0;
    }

    private void heal() throws SQLException {
        watermark.distrustWhatCannotBe();
        long rows = backFill.run();
        if (rows > 0) {
            LOG.info("Sent {} outbox rows by query, which the log may not have shown to a relay", rows);
            watermark.healed(rows);
            metrics.healed(rows);
        }
        watermark.rowsRelayed();
        healedAt = System.nanoTime();
    }

    private void relay(OutboxRow row) {
        if (!backFill.hasSent(row.id())) {
            publisher.send(row);
            watermark.rowsRelayed();
        }
    }

    private void reached(Mark mark) throws SQLException {
        watermark.reached(mark);
        lag.proven(mark.nanos(), untilNextMark);
        if (mark.nanos() - healedAt > 0) {
            backFill.forget();
        }
    }

    /**
     * Marks only grow, so the last of a batch says all. One of a former leader, or of anybody else, says nothing: ours come soon
     * enough.
     */
    private @Nullable Mark markIn(Struct message, @Nullable Mark before) {
        try {
            if (!Watermark.PREFIX.equals(message.getString("prefix"))) {
                return before;
            }
            Mark mark = Mark.parse(new String(OutboxRow.bytes(message.get("content")), US_ASCII));
            return mark.term().equals(term) ? mark : before;
        } catch (RuntimeException e) {
            LOG.warn("Left out a message in the log that claims to be a watermark: {}", e.getMessage());
            return before;
        }
    }
}
