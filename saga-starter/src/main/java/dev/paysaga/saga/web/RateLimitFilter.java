package dev.paysaga.saga.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/** Keeps one merchant from using up what all share. */
final class RateLimitFilter extends OncePerRequestFilter {

    private final RateLimit limit;

    RateLimitFilter(RateLimit limit) {
        this.limit = limit;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Caller> caller = Caller.current();
        long wait = caller.isEmpty() ? 0 : limit.secondsToWait(caller.get().owner());
        if (wait > 0) {
            throw Problem.of(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "rate-limited",
                            "Too many requests. Nothing was done; send this one again after " + wait + " s.")
                    .withHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait));
        }
        chain.doFilter(request, response);
    }
}
