package dev.paysaga.saga.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Turns what the filters behind it throw into problems; what concerns the token is left to Spring Security before it. */
final class ProblemFilter extends OncePerRequestFilter {

    private final ProblemWriter problems;

    ProblemFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (AccessDeniedException | AuthenticationException refused) {
            throw refused;
        } catch (RuntimeException thrown) {
            problems.write(Problems.of(thrown, request), response);
        }
    }
}
