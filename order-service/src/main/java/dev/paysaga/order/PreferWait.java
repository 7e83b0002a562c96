package dev.paysaga.order;

import dev.paysaga.order.domain.OrderStatus;
import dev.paysaga.saga.web.Problem;
import dev.paysaga.saga.web.ProblemWriter;
import dev.paysaga.saga.web.WebAutoConfiguration;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code Prefer: wait=N} (RFC 7240, 4.3) for {@code POST /v1/orders}: keeps the 202 back until the order is decided, and
 * answers what became of it. It stands outside the Idempotency-Key: what is stored there is the 202, so that a repeated
 * request waits too and is told the present state.
 */
@Component
@Order(WebAutoConfiguration.BODY_LIMIT_ORDER - 5)
final class PreferWait extends OncePerRequestFilter {

    private static final String PATH = "/v1/orders";
    private static final String PREFER = "Prefer";
    private static final String PREFERENCE_APPLIED = "Preference-Applied";
    private static final int LONGEST_SECONDS = 30;

    private static final Pattern WAIT =
            Pattern.compile("(?i)(?:^|[,;])\\s*wait\\s*=\\s*\"?(\\d{1,9})\"?\\s*(?=$|[,;])");

    private final Outcomes outcomes;
    private final OrderViews views;
    private final ProblemWriter problems;
    private final JsonMapper json;

    PreferWait(Outcomes outcomes, OrderViews views, ProblemWriter problems, JsonMapper json) {
        this.outcomes = outcomes;
        this.views = views;
        this.problems = problems;
        this.json = json;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getMethod().equals("POST")
                || !request.getRequestURI().equals(PATH)
                || request.getHeader(PREFER) == null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Integer> seconds = seconds(request);
        if (seconds.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        var held = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, held);
        UUID orderId = held.getStatus() == HttpStatus.ACCEPTED.value() ? orderId(held) : null;
        if (orderId != null) {
            response.setHeader(PREFERENCE_APPLIED, "wait=" + seconds.get());
            OrderView order = await(orderId, Duration.ofSeconds(seconds.get()));
            if (isDecided(order)) {
                held.resetBuffer();
                answer(order, response);
                return;
            }
        }
        held.copyBodyToResponse();
    }

    private OrderView await(UUID orderId, Duration atMost) {
        try {
            outcomes.await(orderId, atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return views.find(orderId).orElseThrow();
    }

    private void answer(OrderView order, HttpServletResponse response) throws IOException {
        if (order.reason() == null) {
            response.setStatus(HttpStatus.CREATED.value());
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            byte[] body = json.writeValueAsBytes(order);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        } else {
            problems.write(problem(order, order.reason()), response);
        }
    }

    private static Problem problem(OrderView order, String reason) {
        Problem problem = switch (reason) {
            case "OUT_OF_STOCK", "UNKNOWN_SKU" ->
                Problem.of(HttpStatus.CONFLICT, "out-of-stock", "There is not enough stock for the order.");
            case "INSUFFICIENT_FUNDS",
                    "UNKNOWN_ACCOUNT",
                    "UNKNOWN_MERCHANT_ACCOUNT",
                    "ACCOUNT_BLOCKED",
                    "ACCOUNT_CLOSED",
                    "CURRENCY_MISMATCH" ->
                Problem.of(HttpStatus.PAYMENT_REQUIRED, "payment-declined", "The payment was declined.");
            default -> Problem.of(HttpStatus.CONFLICT, "order-canceled", "The order was canceled.");
        };
        return problem.with("orderId", order.orderId())
                .with("reason", reason)
                .withHeader(
                        HttpHeaders.LOCATION, Answers.location(order.orderId()).toString());
    }

    private static boolean isDecided(OrderView order) {
        return !order.status().equals(OrderStatus.CREATED.name())
                && !order.status().equals(OrderStatus.STOCK_RESERVED.name());
    }

    /** RFC 7240, 2: a preference that cannot be understood is ignored; of two, the first counts. */
    private static Optional<Integer> seconds(HttpServletRequest request) {
        Matcher wait = WAIT.matcher(String.join(",", Collections.list(request.getHeaders(PREFER))));
        return wait.find() ? Optional.of(Math.min(LONGEST_SECONDS, Integer.parseInt(wait.group(1)))) : Optional.empty();
    }

    private static @Nullable UUID orderId(HttpServletResponse accepted) {
        String location = accepted.getHeader(HttpHeaders.LOCATION);
        return location != null && location.startsWith(PATH + "/")
                ? UUID.fromString(location.substring(PATH.length() + 1))
                : null;
    }
}
