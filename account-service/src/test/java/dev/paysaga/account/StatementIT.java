package dev.paysaga.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.testkit.TestTokens;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the ledger says of itself, for whoever compares it with what the others say. */
class StatementIT extends OnRealServers {

    @Test
    void itListsEveryRowAndAddsUpEveryBalance() {
        openAccounts("EUR", 1000);
        UUID order = newOrder();
        UUID held = newOrder();
        poll(reserved(order, "EUR", 300), reserved(held, "EUR", 50));
        poll(new OrderConfirmed(order, merchant));
        poll(refund(order, "F1", "EUR", 100));

        JsonNode statement = statement("");

        assertThat(statement.path("service").asString()).isEqualTo("account");
        assertThat(statement.path("watermark").path("outboxPending").asLong()).isPositive();
        assertThat(mine(statement, "accounts", "merchantId", merchant))
                .extracting(
                        a -> a.path("accountId").asString(),
                        a -> a.path("kind").asString(),
                        a -> a.path("posted").asLong(),
                        a -> a.path("held").asLong(),
                        a -> a.path("postedByTransfers").asLong(),
                        a -> a.path("heldByTransfers").asLong())
                .containsExactlyInAnyOrder(
                        tuple("w", "WALLET", 800L, 50L, 800L, 50L), tuple("t", "MERCHANT", 0L, 0L, 200L, 0L));
        assertThat(mine(statement, "transfers", "orderId", order.toString()))
                .extracting(
                        t -> t.path("kind").asString() + " " + t.path("amount").asLong())
                .containsExactlyInAnyOrder("HOLD 300", "CAPTURE 300", "REFUND 100");
        assertThat(mine(statement, "transfers", "creditAccount", merchant + "/w"))
                .extracting(t -> t.path("kind").asString())
                .contains("DEPOSIT");
        assertThat(mine(statement, "payments", "orderId", order.toString()))
                .extracting(p ->
                        p.path("state").asInt() + " " + p.path("refundedAmount").asLong())
                .containsExactly("5 100");
        assertThat(mine(statement, "refunds", "orderId", order.toString()))
                .singleElement()
                .satisfies(refund -> {
                    assertThat(refund.path("restock").toString()).isEqualTo("[{\"sku\":\"tea\",\"quantity\":1}]");
                    assertThat(refund.path("nextAttemptAt").isNull()).isTrue();
                });
        assertThat(mine(statement, "deposits", "merchantId", merchant)).hasSize(1);
        assertThat(mine(statement, "outbox", "key", order.toString()))
                .hasSize(3)
                .allMatch(row -> !row.path("relayed").asBoolean());
        assertThat(statement.path("complete").asBoolean()).isTrue();
    }

    @Test
    void ofAWindowItListsTheSagasThatBeganInItAndAllBalances() {
        openAccounts("EUR", 1000);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 300));
        Instant began = Instant.ofEpochMilli(order.getMostSignificantBits() >>> 16);

        JsonNode inIt = statement("?from=" + began + "&to=" + began.plusMillis(1));
        JsonNode before = statement("?to=" + began);
        JsonNode after = statement("?from=" + began.plusMillis(1));

        assertThat(mine(inIt, "payments", "orderId", order.toString())).hasSize(1);
        assertThat(mine(inIt, "transfers", "orderId", order.toString())).hasSize(1);
        assertThat(mine(before, "payments", "orderId", order.toString())).isEmpty();
        assertThat(mine(after, "payments", "orderId", order.toString())).isEmpty();
        assertThat(mine(after, "accounts", "merchantId", merchant)).hasSize(2);
        assertThat(mine(after, "deposits", "merchantId", merchant)).isEmpty();
        assertThat(mine(before, "deposits", "merchantId", merchant)).hasSize(1);
    }

    @Test
    void anEventStandsInTheWindowOfItsIdAsWithEverybodyWhoHeardIt() {
        openAccounts("EUR", 1000);
        UUID order = newOrder();
        poll(reserved(order, "EUR", 300));
        UUID event = jdbc.sql("select id from outbox where aggregate_id = ?")
                .param(order.toString())
                .query(UUID.class)
                .single();
        Instant began = Instant.ofEpochMilli(event.getMostSignificantBits() >>> 16);

        assertThat(mine(
                        statement("?sections=outbox&from=" + began + "&to=" + began.plusMillis(1)),
                        "outbox",
                        "id",
                        event.toString()))
                .hasSize(1);
        assertThat(mine(statement("?sections=outbox&to=" + began), "outbox", "id", event.toString()))
                .isEmpty();
    }

    @Test
    void onlyTheSectionsAskedForAreRead() {
        JsonNode statement = statement("?sections=accounts,workOrders");

        assertThat(statement.has("accounts") && statement.has("workOrders")).isTrue();
        assertThat(statement.has("transfers") || statement.has("outbox")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "?from=yesterday, from",
        "?to=2026-01-01, to",
        "?from=2026-01-01T00:00:00%2B01:00, from",
        "?from=1969-12-31T23:59:59Z, from",
        "?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z, to",
        "?sections=accounts%2Csecrets, sections"
    })
    void whatCannotBeAskedIsRefusedByName(String query, String field) {
        // as a URI, so that nothing is encoded twice
        http.get()
                .uri(java.net.URI.create("http://127.0.0.1:" + port + "/v1/statement" + query))
                .header("Authorization", "Bearer " + OPS)
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo(field);
    }

    @Test
    void itIsForOperatorsAlone() {
        get(token, "/v1/statement").expectStatus().isForbidden();
        get(TestTokens.token(merchant, "orders:read"), "/v1/statement")
                .expectStatus()
                .isForbidden();
        http.get().uri("/v1/statement").exchange().expectStatus().isUnauthorized();
    }

    private JsonNode statement(String query) {
        return JsonMapper.shared()
                .readTree(Objects.requireNonNull(get(OPS, "/v1/statement" + query)
                        .expectStatus()
                        .isOk()
                        .returnResult(byte[].class)
                        .getResponseBody()));
    }

    private static List<JsonNode> mine(JsonNode statement, String section, String member, String value) {
        assertThat(statement.path(section).isArray()).as(section).isTrue();
        return statement
                .path(section)
                .valueStream()
                .filter(row -> row.path(member).asString("").equals(value))
                .toList();
    }
}
