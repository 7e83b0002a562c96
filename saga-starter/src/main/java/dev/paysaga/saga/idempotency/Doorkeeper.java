package dev.paysaga.saga.idempotency;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.method.PreAuthorizeAuthorizationManager;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.util.SimpleMethodInvocation;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Asks before a key is looked at whether the caller may use the method behind it. Spring Security asks when the method
 * is called; but an answer that is sent again calls no method, and would tell a caller without the scope what a caller
 * with the scope was told.
 */
final class Doorkeeper {

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final PreAuthorizeAuthorizationManager rules = new PreAuthorizeAuthorizationManager();

    Doorkeeper(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        this.mappings = mappings;
    }

    /**
     * Whether a controller's method answers to this request; if none does, Spring MVC will refuse it.
     *
     * @throws AccessDeniedException if the caller may not use it. The rule is judged by the token alone: arguments are
     *     not yet known
     */
    boolean admits(HttpServletRequest request) {
        Optional<HandlerMethod> handler = handler(request);
        handler.ifPresent(this::check);
        return handler.isPresent();
    }

    private void check(HandlerMethod handler) {
        Object[] unknown = new Object[handler.getMethodParameters().length];
        AuthorizationResult result = rules.authorize(
                () -> SecurityContextHolder.getContext().getAuthentication(),
                new SimpleMethodInvocation(handler.getBean(), handler.getMethod(), unknown));
        if (result != null && !result.isGranted()) {
            throw new AccessDeniedException("the token lacks a scope");
        }
    }

    private Optional<HandlerMethod> handler(HttpServletRequest request) {
        try {
            if (!ServletRequestPathUtils.hasParsedRequestPath(request)) {
                ServletRequestPathUtils.parseAndCache(request);
            }
            HandlerExecutionChain chain = mappings.getObject().getHandler(request);
            return chain != null && chain.getHandler() instanceof HandlerMethod method
                    ? Optional.of(method.createWithResolvedBean())
                    : Optional.empty();
        } catch (Exception noHandler) { // wrong method, wrong media type: Spring MVC will meet it again and say so
            return Optional.empty();
        }
    }
}
