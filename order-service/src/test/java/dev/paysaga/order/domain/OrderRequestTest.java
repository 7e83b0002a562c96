package dev.paysaga.order.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderRequested;
import dev.paysaga.events.RestockLine;
import dev.paysaga.order.domain.Checked.Invalid;
import dev.paysaga.order.domain.Checked.Valid;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes sense as an order or as a refund, and by which field the rest is refused. */
class OrderRequestTest {

    @Test
    void everything_that_is_missing_is_named_at_once() {
        assertThat(fields(new OrderRequest(null, null, null, null, null, null).check("m-1")))
                .containsExactly("outTradeNo", "payerAccountId", "currency", "lines");
        assertThat(fields(ordering(new OrderRequest.Line(null, null, null)).check("m-1")))
                .containsExactly("lines[0].sku", "lines[0].quantity", "lines[0].unitPrice");
        assertThat(fields(
                        new OrderRequest("T-1", "w", "EUR", null, Collections.singletonList(null), null).check("m-1")))
                .containsExactly("lines[0]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a/b", "~", "tea time", "tée", "a\n"})
    void a_name_is_of_letters_digits_dots_hyphens_and_underscores(String name) {
        assertThat(fields(new OrderRequest(name, name, "EUR", null, List.of(line(name, 1, 1)), null).check(name)))
                .containsExactly("merchantId", "outTradeNo", "payerAccountId", "lines[0].sku");
    }

    @Test
    void a_name_has_at_most_64_characters() {
        assertThat(valid(new OrderRequest("x".repeat(64), "w", "EUR", null, List.of(line("tea", 1, 1)), null)))
                .isNotNull();
        assertThat(fields(new OrderRequest("x".repeat(65), "w", "EUR", null, List.of(line("tea", 1, 1)), null)
                        .check("m-1")))
                .containsExactly("outTradeNo");
    }

    @ParameterizedTest
    @CsvSource({
        "EUR, true",
        "JPY, true",
        "KWD, true",
        "eur, false",
        "EURO, false",
        "ABC, false",
        "XXX, false",
        "XAU, false"
    })
    void a_currency_is_an_ISO_4217_code_of_money(String currency, boolean valid) {
        var request = new OrderRequest("T-1", "w", currency, null, List.of(line("tea", 1, 1)), null);

        assertThat(fields(request.check("m-1"))).isEqualTo(valid ? List.of() : List.of("currency"));
    }

    @ParameterizedTest
    @CsvSource({
        "0,          1,  lines[0].quantity",
        "-1,         1,  lines[0].quantity",
        "1000000001, 1,  lines[0].quantity",
        "1,          -1, lines[0].unitPrice",
        "1,          0,  lines",
    })
    void quantities_and_prices_have_bounds(long quantity, long unitPrice, String field) {
        assertThat(fields(ordering(line("tea", quantity, unitPrice)).check("m-1")))
                .containsExactly(field);
    }

    @Test
    void a_free_line_may_stand_beside_one_that_costs_something() {
        assertThat(valid(ordering(line("tea", 1, 300), line("sample", 1, 0))).amount())
                .isEqualTo(300);
    }

    @Test
    void a_total_beyond_the_range_of_a_long_is_refused() {
        assertThat(fields(ordering(line("gold", 2, Long.MAX_VALUE)).check("m-1")))
                .containsExactly("lines");
        assertThat(fields(ordering(line("gold", 1, Long.MAX_VALUE), line("tea", 1, 1))
                        .check("m-1")))
                .containsExactly("lines");
        assertThat(fields(ordering(line("gold", 4, (1L << 62) + 1)).check("m-1")))
                .containsExactly("lines");
        assertThat(valid(ordering(line("gold", 1, Long.MAX_VALUE))).amount()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void an_amount_must_equal_the_total_of_the_lines() {
        var lines = List.of(line("tea", 2, 300));

        assertThat(valid(new OrderRequest("T-1", "w", "EUR", 600L, lines, null)).amount())
                .isEqualTo(600);
        assertThat(fields(new OrderRequest("T-1", "w", "EUR", 601L, lines, null).check("m-1")))
                .containsExactly("amount");
    }

    @Test
    void equal_products_are_merged_in_the_order_of_their_first_appearance() {
        assertThat(valid(ordering(line("tea", 1, 300), line("cup", 1, 50), line("tea", 2, 300)))
                        .lines())
                .containsExactly(new OrderLine("tea", 3L, 300L), new OrderLine("cup", 1L, 50L));
    }

    @Test
    void one_product_has_one_price() {
        assertThat(fields(ordering(line("tea", 1, 300), line("cup", 1, 50), line("tea", 1, 299))
                        .check("m-1")))
                .containsExactly("lines[2].unitPrice");
    }

    @Test
    void an_order_has_from_1_to_100_lines() {
        assertThat(fields(ordering().check("m-1"))).containsExactly("lines");
        assertThat(valid(ordering(lines(100))).lines()).hasSize(100);
        assertThat(fields(ordering(lines(101)).check("m-1"))).containsExactly("lines");
    }

    @ParameterizedTest
    @CsvSource({
        "https://shop.example/hook, true",
        "http://127.0.0.1:9000/x?y=1, true",
        "/hook, false",
        "ftp://shop.example/hook, false",
        "https:hook, false",
        "'https://shop.example/a b', false",
        "'', false",
    })
    void webhooks_go_to_an_absolute_http_url(String url, boolean valid) {
        var request = new OrderRequest("T-1", "w", "EUR", null, List.of(line("tea", 1, 1)), url);

        assertThat(fields(request.check("m-1"))).isEqualTo(valid ? List.of() : List.of("notifyUrl"));
    }

    @Test
    void a_url_has_at_most_2000_characters() {
        String longest = "https://shop.example/" + "x".repeat(2_000 - "https://shop.example/".length());

        assertThat(fields(new OrderRequest("T-1", "w", "EUR", null, List.of(line("tea", 1, 1)), longest).check("m-1")))
                .isEmpty();
        assertThat(fields(new OrderRequest("T-1", "w", "EUR", null, List.of(line("tea", 1, 1)), longest + "x")
                        .check("m-1")))
                .containsExactly("notifyUrl");
    }

    @Test
    void what_comes_over_kafka_is_read_like_what_comes_over_http() {
        var event = new OrderRequested(
                "m-1", "T-1", "w", "EUR", 600L, List.of(new OrderLine("tea", 2L, 300L)), "https://shop.example");

        assertThat(OrderRequest.of(event))
                .isEqualTo(new OrderRequest(
                        "T-1", "w", "EUR", 600L, List.of(line("tea", 2, 300)), "https://shop.example"));
    }

    @Test
    void a_rejection_says_what_was_wrong_field_by_field() {
        var event = new OrderRequested("m-1", "T-1", "w", "???", null, List.of(new OrderLine("tea", 0L, 1L)), null);
        var faults = ((Invalid<Terms>) OrderRequest.of(event).check("m-1")).faults();

        assertThat(Reactions.reject(event, faults).getDetail())
                .isEqualTo("currency must be an ISO 4217 currency code, such as EUR; "
                        + "lines[0].quantity must be from 1 to 1000000000");
    }

    @Test
    void a_refund_is_refused_by_field_too() {
        assertThat(fields(new RefundRequest(null, null, null, null).check())).containsExactly("refundNo", "amount");
        assertThat(fields(new RefundRequest(
                                "R/1",
                                0L,
                                "x".repeat(501),
                                List.of(new RefundRequest.Line("", 1L), new RefundRequest.Line("tea", 0L)))
                        .check()))
                .containsExactly("refundNo", "amount", "reason", "restock[0].sku", "restock[1].quantity");
    }

    @Test
    void units_of_one_product_come_back_in_one_line() {
        var twice = new RefundRequest(
                "R1",
                1L,
                null,
                List.of(
                        new RefundRequest.Line("tea", 1L),
                        new RefundRequest.Line("cup", 4L),
                        new RefundRequest.Line("tea", 2L)));

        assertThat(((Valid<RefundTerms>) twice.check()).value().restock())
                .containsExactly(new RestockLine("cup", 4L), new RestockLine("tea", 3L));
    }

    private static OrderRequest ordering(OrderRequest.Line... lines) {
        return new OrderRequest("T-1", "w", "EUR", null, List.of(lines), null);
    }

    private static OrderRequest.Line line(@Nullable String sku, long quantity, long unitPrice) {
        return new OrderRequest.Line(sku, quantity, unitPrice);
    }

    private static OrderRequest.Line[] lines(int count) {
        return Stream.iterate(1, i -> i + 1)
                .limit(count)
                .map(i -> line("sku-" + i, 1, 1))
                .toArray(OrderRequest.Line[]::new);
    }

    private static Terms valid(OrderRequest request) {
        return ((Valid<Terms>) request.check("m-1")).value();
    }

    private static List<String> fields(Checked<?> checked) {
        return switch (checked) {
            case Valid<?> v -> List.of();
            case Invalid<?> i -> i.faults().stream().map(Fault::field).toList();
        };
    }
}
