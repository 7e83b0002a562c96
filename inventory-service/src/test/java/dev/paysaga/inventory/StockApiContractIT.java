package dev.paysaga.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.testkit.TestServers;
import dev.paysaga.testkit.TestTokens;
import dev.paysaga.testkit.api.ApiContract;
import dev.paysaga.testkit.api.HostileClient;
import java.net.URI;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The API as a whole: what its document promises, what hostile clients meet, and what the tables alone would stop. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "saga.consumer.enabled=false")
class StockApiContractIT {

    private static final String RECEIPTS = "/v1/stock/{sku}/receipts";

    @LocalServerPort
    private int port;

    @Autowired
    private DataSource dataSource;

    @Autowired
    private JdbcClient jdbc;

    private final String token = TestTokens.token("m-" + UUID.randomUUID(), "stock:write");
    private HostileClient hostile;

    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        TestServers.properties("inventory").forEach((name, value) -> registry.add(name, () -> value));
    }

    @BeforeEach
    void connect() throws Exception {
        hostile = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource);
    }

    @AfterEach
    void disconnect() {
        hostile.close();
    }

    @Test
    void theDocumentIsCurrentAndBreaksNobody() {
        ApiContract.verify("inventory", hostile.document());
    }

    @Test
    void whatIsSentToAnyPostIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        assertThat(hostile.posts()).containsExactly(RECEIPTS);

        assertThat(hostile.sends(RECEIPTS, () -> "/v1/stock/tea/receipts", token, StockApiContractIT::receipt, 500))
                .isPositive();
    }

    @Test
    void whatIsSentToTheOperatorsDeskIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        String ops = TestTokens.operatorToken("ops");

        assertThat(hostile.sendsDecisions("ANY", "m", ops, "{\"action\": \"WRITE_OFF\", \"note\": \"counted\"}", 100))
                .isPositive();
        assertThat(hostile.sendsReleases("inventory", ops, 60)).isPositive();
    }

    @Test
    void theDocumentTellsTheTruthAboutEachField() throws Exception {
        hostile.checksItsFields(RECEIPTS, () -> "/v1/stock/tea/receipts", token, StockApiContractIT::receipt);
    }

    @Test
    void withoutKeysAndWithoutChecksTheIndexStillStopsASecondReceipt() {
        String insert =
                "insert into stock_receipts (merchant_id, receipt_no, sku, quantity) values ('m', 'R1', 'tea', ?)";
        jdbc.sql(insert).param(5).update();

        assertThatThrownBy(() -> jdbc.sql(insert).param(6).update())
                .isInstanceOf(DuplicateKeyException.class)
                .hasMessageContaining("stock_receipts_pkey");
    }

    private static String receipt() {
        return "{\"receiptNo\": \"%s\", \"quantity\": 5}".formatted(UUID.randomUUID());
    }
}
