package dev.paysaga.saga.web;

import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/**
 * A refusal the caller is told about, as {@code application/problem+json} (RFC 9457). Thrown from within a request it
 * rolls back what the request has done so far.
 *
 * <p>It is an answer, not a fault, and therefore carries no stack trace.
 */
public class Problem extends RuntimeException implements ErrorResponse {

    /** RFC 9457, 3.1.1: a URI that names the kind of problem and need not be dereferenced. */
    static final String TYPE_PREFIX = "urn:paysaga:problem:";

    private static final long serialVersionUID = 1L;

    private final String slug;
    private final ProblemDetail body;
    private final HttpHeaders headers = new HttpHeaders();

    Problem(HttpStatus status, String slug, String detail, @Nullable Throwable cause) {
        super(slug + ": " + detail, cause, false, false);
        this.slug = slug;
        this.body = ProblemDetail.forStatusAndDetail(status, detail);
        body.setType(URI.create(TYPE_PREFIX + slug));
        body.setTitle(Character.toUpperCase(slug.charAt(0)) + slug.substring(1).replace('-', ' '));
    }

    /**
     * A problem of a kind.
     *
     * @param status 4xx or 5xx
     * @param slug the kind, in lower case with hyphens, such as {@code out-of-stock}
     * @param detail what happened, to which object, and what to do next; a sentence for the caller's developers
     */
    public static Problem of(HttpStatus status, String slug, String detail) {
        return new Problem(status, slug, detail, null);
    }

    /** 404 {@code not-found}: missing, or another's; the caller cannot tell which. */
    public static Problem notFound(String what) {
        return of(HttpStatus.NOT_FOUND, "not-found", what + " does not exist.");
    }

    /** Adds a member to the problem's JSON object. */
    public Problem with(String member, @Nullable Object value) {
        body.setProperty(member, value);
        return this;
    }

    /** Adds a header to the answer. */
    public Problem withHeader(String name, String value) {
        headers.set(name, value);
        return this;
    }

    /** The kind of problem: the last part of its {@code type}. */
    public final String slug() {
        return slug;
    }

    /** The status of the answer. */
    public final HttpStatus status() {
        return Objects.requireNonNull(HttpStatus.resolve(body.getStatus()));
    }

    @Override
    public final HttpStatus getStatusCode() {
        return status();
    }

    @Override
    public final HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public final ProblemDetail getBody() {
        return body;
    }
}
