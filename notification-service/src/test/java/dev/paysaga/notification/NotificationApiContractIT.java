package dev.paysaga.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.testkit.api.ApiContract;
import dev.paysaga.testkit.api.HostileClient;
import java.net.URI;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What the API's document promises, and what hostile clients meet. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "saga.consumer.enabled=false")
class NotificationApiContractIT {

    @LocalServerPort
    private int port;

    @Autowired
    private DataSource dataSource;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("notification").forEach((name, value) -> registry.add(name, () -> value));
    }

    @Test
    void theDocumentIsCurrentAndBreaksNobody() throws Exception {
        try (var client = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource)) {
            ApiContract.verify("notification", client.document());
        }
    }

    @Test
    void whatIsSentToTheOperatorsDeskIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        String ops = TestTokens.operatorToken("ops");

        try (var hostile = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource)) {
            assertThat(hostile.posts()).isEmpty();
            assertThat(hostile.sendsDecisions(
                            "ANY", "m", ops, "{\"action\": \"WRITE_OFF\", \"note\": \"counted\"}", 100))
                    .isPositive();
            assertThat(hostile.sendsReleases("notification", ops, 60)).isPositive();
        }
    }
}
