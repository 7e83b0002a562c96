package dev.paysaga.saga.idempotency;

import dev.paysaga.saga.idempotency.Claim.Finished;
import dev.paysaga.saga.idempotency.Claim.Granted;
import dev.paysaga.saga.idempotency.Claim.InProgress;
import dev.paysaga.saga.idempotency.Claim.OtherRequest;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.web.Problem;
import dev.paysaga.saga.web.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Makes a POST happen once, however often it is sent (draft-ietf-httpapi-idempotency-key-header-07).
 *
 * <p>A key is claimed in a commit of its own; then the controller runs in one transaction, and its answer is stored in
 * that transaction. So there is no moment in which the effect exists and its answer does not. What the answer says
 * decides what becomes of it:
 *
 * <pre>
 * answer                                      effect        answer     key
 * below 400                                   committed     stored     kept
 * below 400, but the work was rolled back     rolled back   500        freed
 * 4xx that was decided and returned           committed     stored     kept
 * 4xx that was decided and thrown             rolled back   stored     kept
 * 400, 401, 403, 405, 406, 413, 415, 429      rolled back   not        freed
 * 5xx, or an exception nobody answered        rolled back   not        freed
 * any, but somebody else has taken over       rolled back   not        his
 * </pre>
 */
final class IdempotentPost extends OncePerRequestFilter {

    static final String REPLAYED = "Idempotency-Replayed";

    private static final Logger log = LoggerFactory.getLogger(IdempotentPost.class);

    /** Refused before anything was decided: the same request may become right (a new token, a moment later). */
    private static final Set<Integer> NOT_DECIDED = Set.of(400, 401, 403, 405, 406, 413, 415, 429);

    private final List<PathPattern> paths;
    private final Doorkeeper doorkeeper;
    private final KeyStore keys;
    private final PlatformTransactionManager transactions;
    private final ProblemWriter problems;
    private final KeyMetrics metrics;

    IdempotentPost(
            List<PathPattern> paths,
            Doorkeeper doorkeeper,
            KeyStore keys,
            PlatformTransactionManager transactions,
            ProblemWriter problems,
            KeyMetrics metrics) {
        this.paths = List.copyOf(paths);
        this.doorkeeper = doorkeeper;
        this.keys = keys;
        this.transactions = transactions;
        this.problems = problems;
        this.metrics = metrics;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        if (!request.getMethod().equals("POST")) {
            return true;
        }
        PathContainer path = PathContainer.parsePath(request.getRequestURI());
        return paths.stream().noneMatch(pattern -> pattern.matches(path));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!doorkeeper.admits(request)) {
            chain.doFilter(request, response);
            return;
        }
        IdempotencyKey key = IdempotencyKey.of(scope(), Collections.list(request.getHeaders(IdempotencyKey.HEADER)));
        byte[] body = body(request);
        byte[] fingerprint = Fingerprint.of(request.getMethod(), request.getRequestURI(), body);
        Claim claim = keys.claim(key, fingerprint);
        metrics.count(claim);
        switch (claim) {
            case Granted granted -> handle(new HeldRequest(request, body), response, chain, key, granted.token());
            case Finished finished -> replay(finished.answer(), response);
            case InProgress other -> problems.write(inProgress(), response);
            case OtherRequest other -> problems.write(reused(), response);
        }
    }

    private static byte[] body(HttpServletRequest request) {
        try {
            return request.getInputStream().readAllBytes();
        } catch (IOException e) { // broken off, or not framed as HTTP wants it
            throw new InvalidRequest("body", "could not be read to its end");
        }
    }

    /** Keys of one owner never meet those of another. */
    private static String scope() {
        return Caller.current()
                .map(Caller::owner)
                .orElseThrow(() -> Problem.of(
                        HttpStatus.UNAUTHORIZED, "unauthorized", "An Idempotency-Key needs an owner, hence a token."));
    }

    private void handle(
            HeldRequest request, HttpServletResponse response, FilterChain chain, IdempotencyKey key, UUID token)
            throws ServletException, IOException {
        HeldResponse held = new HeldResponse(response);
        Fate fate;
        try {
            fate = settle(request, held, chain, key, token);
        } catch (Throwable failure) {
            free(key, token);
            throw failure;
        }
        switch (fate) {
            case STORED -> held.release();
            case NOT_STORED -> {
                free(key, token);
                held.release();
            }
            case FENCED -> {
                log.warn("a holder of an Idempotency-Key came back after its lease; what it did was rolled back");
                problems.write(inProgress(), response);
            }
        }
    }

    private enum Fate {
        STORED,
        NOT_STORED,
        FENCED
    }

    private Fate settle(HeldRequest request, HeldResponse held, FilterChain chain, IdempotencyKey key, UUID token)
            throws ServletException, IOException {
        TransactionStatus effect = transactions.getTransaction(TransactionDefinition.withDefaults());
        try {
            chain.doFilter(request, held);
            boolean undone =
                    effect.isRollbackOnly() || request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) != null;
            if (held.getStatus() >= 500 || NOT_DECIDED.contains(held.getStatus())) {
                transactions.rollback(effect);
                return Fate.NOT_STORED;
            }
            if (undone) {
                transactions.rollback(effect);
                return refuse(held, key, token);
            }
            if (!keys.finish(key, token, held.answer())) {
                transactions.rollback(effect);
                return Fate.FENCED;
            }
        } catch (Throwable failure) {
            if (!effect.isCompleted()) {
                transactions.rollback(effect);
            }
            throw failure;
        }
        transactions.commit(effect);
        return Fate.STORED;
    }

    /** A refusal needs no effect to be stored with. Success needs one. */
    private Fate refuse(HeldResponse held, IdempotencyKey key, UUID token) {
        if (held.getStatus() < 400) {
            throw new IllegalStateException(
                    "the answer was " + held.getStatus() + ", but its transaction was rolled back");
        }
        return keys.finish(key, token, held.answer()) ? Fate.STORED : Fate.FENCED;
    }

    /** If this cannot be said to the database, the end of the lease says it. */
    private void free(IdempotencyKey key, UUID token) {
        try {
            keys.free(key, token);
        } catch (RuntimeException e) {
            log.warn("an Idempotency-Key could not be freed and stays held until its lease ends: {}", e.toString());
        }
    }

    private static void replay(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        response.setHeader(REPLAYED, "true");
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private static Problem inProgress() {
        return Problem.of(
                        HttpStatus.CONFLICT,
                        "request-in-progress",
                        "This request is still being handled. Send it again in a moment to get its answer.")
                .withHeader(HttpHeaders.RETRY_AFTER, "1");
    }

    private static Problem reused() {
        return Problem.of(
                HttpStatus.UNPROCESSABLE_CONTENT,
                "idempotency-key-reused",
                "This Idempotency-Key belongs to another request. Nothing was done. Use a new key for a new request.");
    }
}
