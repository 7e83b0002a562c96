package dev.paysaga.saga.web;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/**
 * Who calls, as the bearer token says. Declare it as a parameter of a controller method.
 *
 * @param subject claim {@code sub}
 * @param merchantId claim {@code merchant_id}; null for a token without a merchant, such as an operator's
 * @param scopes claim {@code scope}, split
 */
public record Caller(String subject, @Nullable String merchantId, Set<String> scopes) {

    /** What Spring Security puts before a scope to make it an authority. */
    private static final String SCOPE = "SCOPE_";

    public Caller {
        scopes = Set.copyOf(scopes);
    }

    /** The caller of the request that this thread serves; empty if it brought no valid token. */
    public static Optional<Caller> current() {
        return SecurityContextHolder.getContext().getAuthentication() instanceof JwtAuthenticationToken token
                ? Optional.of(of(token))
                : Optional.empty();
    }

    private static Caller of(JwtAuthenticationToken token) {
        return new Caller(
                token.getToken().getSubject(),
                token.getToken().getClaimAsString("merchant_id"),
                token.getAuthorities().stream()
                        .map(GrantedAuthority::getAuthority)
                        .filter(authority -> authority != null && authority.startsWith(SCOPE))
                        .map(authority -> authority.substring(SCOPE.length()))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * The merchant whose objects the caller may see.
     *
     * @throws Problem 403 {@code merchant-required} if the token names no merchant
     */
    public String merchant() {
        if (merchantId == null) {
            throw Problem.of(HttpStatus.FORBIDDEN, "merchant-required", "This call needs a token with a merchant_id.");
        }
        return merchantId;
    }

    /** Whose keys, limits and other belongings the caller uses: the merchant's or, without one, the subject's own. */
    public String owner() {
        return merchantId == null ? "subject/" + subject : "merchant/" + merchantId;
    }

    /** Whether the token carries this scope. */
    public boolean may(String scope) {
        return scopes.contains(scope);
    }
}
