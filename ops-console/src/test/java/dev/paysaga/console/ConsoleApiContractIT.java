package dev.paysaga.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.testkit.api.ApiContract;
import dev.paysaga.testkit.api.HostileClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What the API's document promises, and what hostile clients meet. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "paysaga.reconciliation.poll=1d")
class ConsoleApiContractIT {

    @Autowired
    private DataSource dataSource;

    @Autowired
    private Reconciliations reconciliations;

    @Autowired
    private MessageListenerContainer recorder;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("console").forEach((name, value) -> registry.add(name, () -> value));
        for (String service : List.of("order", "inventory", "account", "notification")) {
            registry.add("paysaga.reconciliation.services." + service, () -> "http://127.0.0.1:1/");
        }
        registry.add("paysaga.reconciliation.token-file", () -> "there-is-none");
    }

    /** What writes is the client alone. */
    @BeforeEach
    void nothingElseGoesOn() {
        recorder.stop();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> reconciliations.latest().isPresent());
    }

    @Test
    void theDocumentIsCurrentAndBreaksNobody() throws Exception {
        try (var client = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource)) {
            ApiContract.verify("console", client.document());
        }
    }

    @Test
    void whatIsSentIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        String ops = TestTokens.operatorToken("ops");

        try (var hostile = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource)) {
            assertThat(hostile.posts()).containsExactly("/v1/reconciliations");
            assertThat(hostile.sends("/v1/reconciliations", () -> "/v1/reconciliations", ops, () -> "{}", 200))
                    .isPositive();
            assertThat(hostile.sendsDecisions(
                            Differences.WORK_ORDER_KIND,
                            "m",
                            ops,
                            "{\"action\": \"WRITE_OFF\", \"note\": \"broken cups\"}",
                            200))
                    .isPositive();
            hostile.sendsDecisions(
                    Differences.WORK_ORDER_KIND,
                    "m",
                    ops,
                    "{\"action\": \"POST_TO_SUSPENSE\", \"account\": \"m/w\", \"currency\": \"EUR\", \"amount\": 50}",
                    200);
            assertThat(hostile.sendsReleases("console", ops, 60)).isPositive();
        }
    }
}
