package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.springframework.dao.DuplicateKeyException;

/** The API as a whole: what its document promises, what hostile clients meet, and what the tables alone would stop. */
class AccountApiContractIT extends OnRealServers {

    private static final String ACCOUNTS = "/v1/accounts";
    private static final String DEPOSITS = "/v1/accounts/{accountId}/deposits";
    private static final String BLOCK = "/v1/accounts/{accountId}/block";
    private static final String UNBLOCK = "/v1/accounts/{accountId}/unblock";
    private static final String CLOSE = "/v1/accounts/{accountId}/close";

    @Autowired
    private DataSource dataSource;

    private HostileClient hostile;

    @BeforeEach
    void arm() throws Exception {
        hostile = new HostileClient(URI.create("http://127.0.0.1:" + port), dataSource);
    }

    @AfterEach
    void disarm() {
        hostile.close();
    }

    @Test
    void theDocumentIsCurrentAndBreaksNobody() {
        ApiContract.verify("account", hostile.document());
    }

    @Test
    void whatIsSentToAnyPostIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        assertThat(hostile.posts()).containsExactly(ACCOUNTS, BLOCK, CLOSE, DEPOSITS, UNBLOCK);
        openAccounts("EUR", 1000);
        open("c", "WALLET", "EUR");

        assertThat(hostile.sends(ACCOUNTS, () -> ACCOUNTS, token, AccountApiContractIT::newWallet, 300))
                .isPositive();
        assertThat(hostile.sends(DEPOSITS, () -> "/v1/accounts/w/deposits", token, AccountApiContractIT::money, 300))
                .isPositive();
        assertThat(hostile.sends(BLOCK, () -> "/v1/accounts/w/block", OPS, this::namedOwner, 100))
                .isPositive();
        assertThat(hostile.sends(UNBLOCK, () -> "/v1/accounts/w/unblock", OPS, this::namedOwner, 100))
                .isPositive();
        assertThat(hostile.sends(CLOSE, () -> "/v1/accounts/c/close", token, () -> "{}", 50))
                .isPositive();
    }

    @Test
    void whatIsSentToTheOperatorsDeskIsNeverAFaultAndWritesNothingIfRefused() throws Exception {
        String ops = TestTokens.operatorToken("ops");

        assertThat(hostile.sendsDecisions("ANY", "m", ops, "{\"action\": \"WRITE_OFF\", \"note\": \"counted\"}", 100))
                .isPositive();
        assertThat(hostile.sendsReleases("account", ops, 60)).isPositive();
        openAccounts("EUR", 1000);
        String posting =
                "{\"action\": \"POST_TO_SUSPENSE\", \"account\": \"%s/w\", \"currency\": \"EUR\", \"amount\": 1}";
        assertThat(hostile.sendsDecisions("DIFFERENCE_NOT_POSTED", merchant, ops, posting.formatted(merchant), 200))
                .isPositive();
    }

    @Test
    void theDocumentTellsTheTruthAboutEachField() throws Exception {
        openAccounts("EUR", 1000);

        hostile.checksItsFields(ACCOUNTS, () -> ACCOUNTS, token, AccountApiContractIT::newWallet);
        hostile.checksItsFields(DEPOSITS, () -> "/v1/accounts/w/deposits", token, AccountApiContractIT::money);
    }

    @Test
    void withoutKeysAndWithoutChecksTheIndexStillStopsASecondDeposit() {
        openAccounts("EUR", 1000);

        assertThatThrownBy(() -> jdbc.sql("""
                                insert into deposits
                                select (jsonb_populate_record(d, jsonb_build_object('amount', 1))).*
                                from deposits d where merchant_id = ?""").param(merchant).update())
                .isInstanceOf(DuplicateKeyException.class)
                .hasMessageContaining("deposits_pkey");
        assertThatThrownBy(() -> jdbc.sql("""
                                insert into transfers overriding user value
                                select * from transfers where credit_account = ?""").param(merchant + "/w").update())
                .isInstanceOf(DuplicateKeyException.class)
                .hasMessageContaining("transfers_pkey");
    }

    private String namedOwner() {
        return "{\"merchantId\": \"%s\"}".formatted(merchant);
    }

    private static String newWallet() {
        return "{\"accountId\": \"w-%s\", \"kind\": \"WALLET\", \"currency\": \"EUR\"}".formatted(UUID.randomUUID());
    }

    private static String money() {
        return "{\"depositNo\": \"%s\", \"amount\": 5}".formatted(UUID.randomUUID());
    }
}
