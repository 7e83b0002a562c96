package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.testkit.TestTokens;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** A merchant's accounts over HTTP. */
class AccountApiIT extends OnRealServers {

    @Test
    void anAccountIsOpenedOnceAndAnsweredTheSame() {
        String account = """
                {"accountId": "w", "kind": "WALLET", "currency": "JPY", "posted": 0, "held": 0, "available": 0,
                 "status": "OPEN"}
                """;
        open("w", "WALLET", "JPY")
                .expectStatus()
                .isCreated()
                .expectHeader()
                .location("/v1/accounts/w")
                .expectBody()
                .json(account);
        open("w", "WALLET", "JPY").expectStatus().isCreated().expectBody().json(account);
        get(token, "/v1/accounts/w").expectStatus().isOk().expectBody().json(account);
        assertProblem(open("w", "WALLET", "EUR"), 409, "account-conflict");
        assertProblem(open("w", "MERCHANT", "JPY"), 409, "account-conflict");
    }

    @Test
    void aMerchantHasOneMerchantAccountPerCurrency() {
        open("t", "MERCHANT", "EUR").expectStatus().isCreated();
        assertProblem(open("t2", "MERCHANT", "EUR"), 409, "merchant-account-exists");
        open("t2", "MERCHANT", "USD").expectStatus().isCreated();
        open("t", "MERCHANT", "EUR").expectStatus().isCreated();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'accountId': 'a/b', 'kind': 'WALLET', 'currency': 'EUR'} | accountId
            {'accountId': '', 'kind': 'WALLET', 'currency': 'EUR'}    | accountId
            {'kind': 'WALLET', 'currency': 'EUR'}                     | accountId
            {'accountId': 'w', 'kind': 'SUSPENSE', 'currency': 'EUR'} | kind
            {'accountId': 'w', 'currency': 'EUR'}                     | kind
            {'accountId': 'w', 'kind': 'WALLET', 'currency': 'eur'}   | currency
            {'accountId': 'w', 'kind': 'WALLET', 'currency': 'XAU'}   | currency
            {'accountId': 'w', 'kind': 'WALLET', 'currency': 'EUR', 'posted': 5} | posted
            """)
    void anAccountThatCannotBeIsRefusedByField(String body, String field) {
        // JUnit's quotes are ours as well
        String json = body.contains("\"") ? body : body.replace('\'', '"');
        post(token, "/v1/accounts", json)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:paysaga:problem:invalid-request")
                .jsonPath("$.errors[0].field")
                .isEqualTo(field);
    }

    @Test
    void ofTheSameDepositManyTimesAtOnceOneIsTakenIn() throws Exception {
        open("w", "WALLET", "EUR");
        Callable<String> one = () -> new String(
                deposit("w", "D1", 50)
                        .expectStatus()
                        .isCreated()
                        .returnResult(byte[].class)
                        .getResponseBody(),
                java.nio.charset.StandardCharsets.UTF_8);
        assertThat(atOnce(Collections.nCopies(6, one)).stream().distinct()).hasSize(1);
        assertThat(wallet()).isEqualTo("50/0");
        assertTheBooksBalance();
    }

    @Test
    void aDepositNumberUsedForOtherMoneyIsRefused() {
        open("w", "WALLET", "EUR");
        open("v", "WALLET", "EUR");
        deposit("w", "D1", 50).expectStatus().isCreated();
        assertProblem(deposit("w", "D1", 51), 409, "deposit-no-conflict");
        assertProblem(deposit("v", "D1", 50), 409, "deposit-no-conflict");
        assertThat(wallet()).isEqualTo("50/0");
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "1.5", "1e3", "\"100\"", "9223372036854775808", "null"})
    void whatIsNoAmountOfMinorUnitsIsRefusedByName(String amount) {
        open("w", "WALLET", "EUR");
        post(token, "/v1/accounts/w/deposits", "{\"depositNo\": \"D1\", \"amount\": " + amount + "}")
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("amount");
        assertThat(wallet()).isEqualTo("0/0");
    }

    @Test
    void aBalanceNeverWraps() {
        open("w", "WALLET", "EUR");
        deposit("w", "D1", Long.MAX_VALUE).expectStatus().isCreated();
        assertProblem(deposit("w", "D2", 1), 422, "balance-limit-exceeded");
        assertThat(wallet()).isEqualTo(Long.MAX_VALUE + "/0");
    }

    @Test
    void aBlockedAccountTakesNoDepositsUntilItIsUnblocked() {
        openAccounts("EUR", 50);
        block("w").expectStatus().isOk().expectBody().jsonPath("$.status").isEqualTo("BLOCKED");
        block("w").expectStatus().isOk();
        assertProblem(deposit("w", "D2", 1), 409, "account-blocked");
        deposit("w", "D1", 50).expectStatus().isCreated(); // was made before
        unblock("w").expectStatus().isOk().expectBody().jsonPath("$.status").isEqualTo("OPEN");
        deposit("w", "D2", 1).expectStatus().isCreated();
        assertThat(jdbc.sql("select from_status || '>' || to_status || ' ' || actor from account_changes"
                                + " where account_key = ? order by version")
                        .param(merchant + "/w")
                        .query(String.class)
                        .list())
                .containsExactly("OPEN>BLOCKED operator", "BLOCKED>OPEN operator");
    }

    @Test
    void onlyAnOperatorBlocksAndOnlyForTheMerchantNamed() {
        openAccounts("EUR", 50);
        post(token, "/v1/accounts/w/block", "").expectStatus().isForbidden();
        assertProblem(post(OPS, "/v1/accounts/w/block", ""), 400, "invalid-request");
        String own = TestTokens.token(merchant, "ops");
        post(own, "/v1/accounts/w/block", "").expectStatus().isOk();
        String other = TestTokens.token("other", "ops");
        post(other, "/v1/accounts/w/unblock", owner()).expectStatus().isNotFound();
        post(other, "/v1/accounts/w/unblock", "").expectStatus().isNotFound();
    }

    @Test
    void anAccountWithHoldsIsNotClosed() {
        openAccounts("EUR", 50);
        poll(reserved(newOrder(), "EUR", 30));
        assertProblem(post(token, "/v1/accounts/w/close", ""), 409, "account-has-holds");
        get(token, "/v1/accounts/w")
                .expectBody()
                .json("{\"posted\": 50, \"held\": 30, \"available\": 20, \"status\": \"OPEN\"}");
    }

    @Test
    void aClosedAccountStaysClosed() {
        openAccounts("EUR", 50);
        post(token, "/v1/accounts/w/close", "").expectStatus().isOk();
        post(token, "/v1/accounts/w/close", "").expectStatus().isOk();
        assertProblem(deposit("w", "D2", 1), 409, "account-closed");
        assertProblem(block("w"), 409, "account-closed");
        assertProblem(unblock("w"), 409, "account-closed");
    }

    @Test
    void transfersAreShownNewestFirstPageByPage() {
        open("w", "WALLET", "EUR");
        for (int i = 1; i <= 5; i++) {
            deposit("w", "D" + i, i).expectStatus().isCreated();
        }
        get(token, "/v1/accounts/w/transfers?limit=2")
                .expectBody()
                .jsonPath("$.transfers[*].amount")
                .isEqualTo(List.of(5, 4))
                .jsonPath("$.transfers[0].counterparty")
                .isEqualTo("EXTERNAL-EUR")
                .jsonPath("$.transfers[0].direction")
                .isEqualTo("CREDIT")
                .jsonPath("$.hasMore")
                .isEqualTo(true);
        UUID fourth = jdbc.sql("select transfer_id from transfers where credit_account = ? and amount = 4")
                .param(merchant + "/w")
                .query(UUID.class)
                .single();
        get(token, "/v1/accounts/w/transfers?limit=3&after=" + fourth)
                .expectBody()
                .jsonPath("$.transfers[*].amount")
                .isEqualTo(List.of(3, 2, 1))
                .jsonPath("$.hasMore")
                .isEqualTo(false);
        assertProblem(get(token, "/v1/accounts/w/transfers?limit=0"), 400, "invalid-request");
    }

    @Test
    void anothersAccountsAndPaymentsDoNotExist() {
        openAccounts("EUR", 50);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 30));
        String other = TestTokens.token("other", "accounts:write", "accounts:read");
        assertProblem(get(other, "/v1/accounts/w"), 404, "not-found");
        assertProblem(get(other, "/v1/accounts/w/transfers"), 404, "not-found");
        assertProblem(get(other, "/v1/payments/" + order), 404, "not-found");
        assertProblem(post(other, "/v1/accounts/w/close", ""), 404, "not-found");
        assertProblem(post(other, "/v1/accounts/w/deposits", "{'depositNo': 'D9', 'amount': 1}"), 404, "not-found");
        get(token, "/v1/ledger/trial-balance").expectStatus().isForbidden();
        get(TestTokens.token(merchant, "orders:read"), "/v1/accounts/w")
                .expectStatus()
                .isForbidden();
    }

    private static void assertProblem(ResponseSpec response, int status, String slug) {
        response.expectStatus()
                .isEqualTo(status)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:paysaga:problem:" + slug);
    }
}
