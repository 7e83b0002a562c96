package dev.paysaga.saga.relay;

import static dev.paysaga.saga.relay.RelayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The log shows a commit earlier than the tables do. On a server of its own, whose standby never answers. */
final class CommitVisibilityIT {

    /** One for each commit that is held back: the common pool may have no more than one. */
    private static final Executor THREADS = Thread::startVirtualThread;

    @Test
    void aRowIsSentOnlyWhenEverybodyCanSeeItsTransaction() {
        try (var server = PostgresServer.start();
                var broker = KafkaBroker.start();
                var outbox = new RelayFixture(server, broker)) {
            outbox.startLeader();
            outbox.append("before", 1);
            // Before commits are held back: this one would wait for ever, and the test with it.
            outbox.jdbc.sql("create table probes (n int)").update();
            outbox.awaitQuiet(); // from here on the relay itself has nothing to commit
            server.administer("alter system set synchronous_standby_names = 'nobody'", "select pg_reload_conf()");
            var probe = holdBackCommits(outbox);
            var commit = CompletableFuture.runAsync(() -> outbox.append("key-1", 1), THREADS);
            soon().until(() -> outbox.commitIsHeldBack("outbox"));

            await().during(Duration.ofSeconds(2))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> outbox.topicIds().size() == 1);

            server.administer("alter system reset synchronous_standby_names", "select pg_reload_conf()");
            assertThat(probe).succeedsWithin(Duration.ofMinutes(2));
            assertThat(commit).succeedsWithin(Duration.ofMinutes(2));
            outbox.awaitQuiet();
            assertThat(outbox.topicIds().stream().distinct()).containsExactlyElementsOf(outbox.outboxIds());
        }
    }

    /** The server minds its new settings when it gets to it: commits of others are tried until one is held back. */
    private static CompletableFuture<Void> holdBackCommits(RelayFixture outbox) {
        var probe = new AtomicReference<>(CompletableFuture.<Void>completedFuture(null));
        soon().until(() -> {
            if (probe.get().isDone()) {
                probe.get().join();
                probe.set(CompletableFuture.runAsync(
                        () -> outbox.jdbc.sql("insert into probes values (1)").update(), THREADS));
            }
            return outbox.commitIsHeldBack("probes");
        });
        return probe.get();
    }
}
