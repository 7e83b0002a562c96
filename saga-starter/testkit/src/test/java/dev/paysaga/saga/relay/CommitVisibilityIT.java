package dev.paysaga.saga.relay;

import static dev.paysaga.saga.relay.RelayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.testkit.KafkaBroker;
import dev.paysaga.testkit.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The log shows a commit earlier than the tables do. On a server of its own, whose standby never answers. */
final class CommitVisibilityIT {

    @Test
    void aRowIsSentOnlyWhenEverybodyCanSeeItsTransaction() {
        try (var server = PostgresServer.start();
                var broker = KafkaBroker.start();
                var outbox = new RelayFixture(server, broker)) {
            outbox.startLeader();
            server.administer("alter system set synchronous_standby_names = 'nobody'", "select pg_reload_conf()");
            var commit = CompletableFuture.runAsync(() -> outbox.append("key-1", 1));
            soon().until(outbox::commitIsHeldBack);

            await().during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> outbox.topicIds().isEmpty());

            server.administer("alter system reset synchronous_standby_names", "select pg_reload_conf()");
            commit.join();
            outbox.awaitQuiet();
            assertThat(outbox.topicIds().stream().distinct()).containsExactlyElementsOf(outbox.outboxIds());
        }
    }
}
