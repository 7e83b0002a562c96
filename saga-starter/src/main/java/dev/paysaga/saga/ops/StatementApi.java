package dev.paysaga.saga.ops;

import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.web.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /v1/statement}: what this service has written down, for whoever compares it with what the others have. */
@RestController
class StatementApi {

    /** Each holds a connection and a snapshot for as long as its reader takes; two readers are one more than there should be. */
    private static final int AT_ONCE = 2;

    private final Statement statement;
    private final Semaphore readers = new Semaphore(AT_ONCE);

    StatementApi(Statement statement) {
        this.statement = statement;
    }

    /**
     * Writes the statement while it is read. After a failure on the way the body is no JSON.
     *
     * @param sections names, separated by commas; all of them if absent
     */
    @GetMapping("/v1/statement")
    @PreAuthorize("hasAuthority('SCOPE_ops')")
    @Call(value = "States what this service has written down, in one snapshot", refuses = "503 too-many-statements")
    void get(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable List<String> sections,
            HttpServletResponse response)
            throws IOException {
        StatementWindow window = StatementWindow.of(from, to);
        List<String> wanted = sections == null ? statement.sections() : sections;
        if (!statement.sections().containsAll(wanted)) {
            throw new InvalidRequest("sections", "must be among " + String.join(", ", statement.sections()));
        }
        if (!readers.tryAcquire()) {
            throw Problem.of(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "too-many-statements",
                            AT_ONCE + " statements are being read here already. Try again when one has ended.")
                    .withHeader(HttpHeaders.RETRY_AFTER, "5");
        }
        try {
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            statement.write(window, wanted, response.getOutputStream());
        } finally {
            readers.release();
        }
    }
}
