package dev.paysaga.saga.web;

import dev.paysaga.wire.RegistryUnavailable;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MultipartException;
import tools.jackson.core.JacksonException;

/** Which problem an exception is. */
final class Problems {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    private Problems() {}

    /** Never fails; what nobody foresaw is logged with an id and answered as 500 with that id and nothing else. */
    static Problem of(Throwable thrown, HttpServletRequest request) {
        Problem refusal = cause(thrown, Problem.class);
        if (refusal != null) {
            return refusal;
        }
        return switch (thrown) {
            case HttpMessageNotReadableException unreadable -> unreadable(unreadable);
            case MissingServletRequestParameterException missing ->
                new InvalidRequest(missing.getParameterName(), "is missing");
            case MissingRequestHeaderException missing -> new InvalidRequest(missing.getHeaderName(), "is missing");
            case MethodArgumentTypeMismatchException mismatch ->
                new InvalidRequest(mismatch.getName(), mustBe(mismatch.getRequiredType()));
            case TypeMismatchException mismatch ->
                new InvalidRequest(
                        Objects.requireNonNullElse(mismatch.getPropertyName(), "request"),
                        mustBe(mismatch.getRequiredType()));
            case MethodArgumentNotValidException invalid -> new InvalidRequest(errors(invalid));
            case HandlerMethodValidationException invalid -> new InvalidRequest(errors(invalid));
            case AccessDeniedException denied -> forbidden();
            case AuthenticationServiceException away -> unavailable(away, request);
            case AuthenticationException unauthenticated -> unauthorized(HttpStatus.UNAUTHORIZED);
            case TransientDataAccessException away -> unavailable(away, request);
            case RecoverableDataAccessException away -> unavailable(away, request);
            case DataAccessResourceFailureException away -> unavailable(away, request);
            case UncategorizedSQLException away when isEndedByServer(away) -> unavailable(away, request);
            case CannotCreateTransactionException away -> unavailable(away, request);
            case TransactionSystemException away -> unavailable(away, request);
            case RegistryUnavailable away -> unavailable(away, request);
            case MultipartException form -> ofStatus(415, request);
            case RequestRejectedException rejected -> ofStatus(400, request);
            case ErrorResponse known -> ofFramework(known, request);
            default -> unforeseen(thrown, request);
        };
    }

    /** PostgreSQL ends sessions that pause in a transaction (25P03), as a replica does that was stopped for a while. */
    private static boolean isEndedByServer(UncategorizedSQLException thrown) {
        SQLException reason = thrown.getSQLException();
        return reason != null && "25P03".equals(reason.getSQLState());
    }

    /** What a bare status says, for refusals that come from the server below Spring MVC. */
    static Problem ofStatus(int code, HttpServletRequest request) {
        HttpStatus status = Objects.requireNonNullElse(HttpStatus.resolve(code), HttpStatus.INTERNAL_SERVER_ERROR);
        return switch (status) {
            case NOT_FOUND -> Problem.of(status, "not-found", "There is nothing at this address.");
            case UNAUTHORIZED -> unauthorized(status);
            case FORBIDDEN -> forbidden();
            case METHOD_NOT_ALLOWED ->
                Problem.of(
                        status, "method-not-allowed", "This address does not answer to " + request.getMethod() + ".");
            case NOT_ACCEPTABLE ->
                Problem.of(status, "not-acceptable", "This address answers with application/json only.");
            case UNSUPPORTED_MEDIA_TYPE ->
                Problem.of(status, "unsupported-media-type", "Send the body as application/json in UTF-8.");
            case CONTENT_TOO_LARGE -> Problem.of(status, "payload-too-large", "The body is too large.");
            case SERVICE_UNAVAILABLE -> unavailable();
            case INTERNAL_SERVER_ERROR -> internalError();
            default -> Problem.of(status, slug(status), status.getReasonPhrase() + ".");
        };
    }

    /** RFC 6750, 3: a refused token is told what was missing by a challenge, never more. */
    static Problem unauthorized(HttpStatus status) {
        return Problem.of(status, "unauthorized", "The bearer token is missing, has expired or is not valid.")
                .withHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }

    static Problem forbidden() {
        return Problem.of(HttpStatus.FORBIDDEN, "forbidden", "The bearer token lacks the scope that this call needs.")
                .withHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"insufficient_scope\"");
    }

    private static Problem unreadable(HttpMessageNotReadableException unreadable) {
        JacksonException fault = cause(unreadable, JacksonException.class);
        return fault == null ? new InvalidRequest("body", "is missing or cannot be read") : JsonFaults.of(fault);
    }

    private static Problem ofFramework(ErrorResponse known, HttpServletRequest request) {
        int code = known.getStatusCode().value();
        Problem problem = ofStatus(code, request);
        for (String header : List.of(HttpHeaders.ALLOW, HttpHeaders.ACCEPT, HttpHeaders.RETRY_AFTER)) {
            String value = known.getHeaders().getFirst(header);
            if (value != null) {
                problem.withHeader(header, value);
            }
        }
        return problem;
    }

    private static Problem unavailable(Exception away, HttpServletRequest request) {
        log.warn("{} {} could not be served now: {}", request.getMethod(), request.getRequestURI(), away.toString());
        return unavailable();
    }

    private static Problem unavailable() {
        return Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "unavailable",
                        "This service cannot answer now. Send the same request with the same Idempotency-Key again.")
                .withHeader(HttpHeaders.RETRY_AFTER, "1");
    }

    private static Problem unforeseen(Throwable thrown, HttpServletRequest request) {
        Problem problem = internalError();
        log.error(
                "{} {} failed unexpectedly, answered as {}",
                request.getMethod(),
                request.getRequestURI(),
                problem.getBody().getInstance(),
                thrown);
        return problem;
    }

    private static Problem internalError() {
        Problem problem = Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "internal-error",
                "This is a fault of ours, which the log knows by the instance. The same request may be sent again.");
        problem.getBody().setInstance(URI.create("urn:uuid:" + UUID.randomUUID()));
        return problem;
    }

    private static List<FieldError> errors(MethodArgumentNotValidException invalid) {
        List<FieldError> errors = new ArrayList<>();
        invalid.getBindingResult()
                .getFieldErrors()
                .forEach(error -> errors.add(new FieldError(
                        error.getField(), Objects.requireNonNullElse(error.getDefaultMessage(), "is not valid"))));
        invalid.getBindingResult()
                .getGlobalErrors()
                .forEach(error -> errors.add(
                        new FieldError("body", Objects.requireNonNullElse(error.getDefaultMessage(), "is not valid"))));
        return errors;
    }

    private static List<FieldError> errors(HandlerMethodValidationException invalid) {
        List<FieldError> errors = new ArrayList<>();
        for (ParameterValidationResult result : invalid.getParameterValidationResults()) {
            String name = Objects.requireNonNullElse(result.getMethodParameter().getParameterName(), "request");
            result.getResolvableErrors()
                    .forEach(error -> errors.add(new FieldError(
                            name, Objects.requireNonNullElse(error.getDefaultMessage(), "is not valid"))));
        }
        return errors.isEmpty() ? List.of(new FieldError("request", "is not valid")) : errors;
    }

    private static String mustBe(@Nullable Class<?> type) {
        return type == null ? "is not valid" : JsonFaults.mustBe(type);
    }

    private static String slug(HttpStatus status) {
        return status.getReasonPhrase().toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    /** The first of its kind in the chain of causes; null if there is none. */
    private static <T extends Throwable> @Nullable T cause(Throwable thrown, Class<T> kind) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < 16; depth++, cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return kind.cast(cause);
            }
        }
        return null;
    }
}
