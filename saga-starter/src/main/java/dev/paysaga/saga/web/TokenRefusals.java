package dev.paysaga.saga.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.BearerTokenAuthenticationEntryPoint;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;

/** Refuses strangers and those who may not: challenged as RFC 6750 says, told as RFC 9457 says. */
final class TokenRefusals implements AuthenticationEntryPoint, AccessDeniedHandler {

    private final BearerTokenAuthenticationEntryPoint challenge = new BearerTokenAuthenticationEntryPoint();
    private final ProblemWriter problems;

    TokenRefusals(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException {
        challenge.commence(request, response, refused);
        HttpStatus status =
                Objects.requireNonNullElse(HttpStatus.resolve(response.getStatus()), HttpStatus.UNAUTHORIZED);
        String header = response.getHeader(HttpHeaders.WWW_AUTHENTICATE);
        Problem problem = Problems.unauthorized(status);
        problems.write(header == null ? problem : problem.withHeader(HttpHeaders.WWW_AUTHENTICATE, header), response);
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException refused)
            throws IOException {
        problems.write(Problems.forbidden(), response);
    }
}
