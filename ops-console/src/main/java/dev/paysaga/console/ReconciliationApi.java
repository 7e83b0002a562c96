package dev.paysaga.console;

import dev.paysaga.console.Differences.Found;
import dev.paysaga.console.Reconciliations.Run;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.Problem;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What reconciliation says. */
@RestController
@RequestMapping("/v1/reconciliations")
class ReconciliationApi {

    private static final String OPS = "hasAuthority('SCOPE_ops')";

    private final Reconciliations reconciliations;
    private final Differences differences;

    ReconciliationApi(Reconciliations reconciliations, Differences differences) {
        this.reconciliations = reconciliations;
        this.differences = differences;
    }

    /** One of everything, soon. */
    @PostMapping
    @PreAuthorize(OPS)
    @Call(value = "Asks for a reconciliation of everything", answers = 202)
    ResponseEntity<Run> request(Caller caller) {
        Run run = reconciliations.request(caller.subject());
        return ResponseEntity.accepted()
                .location(URI.create("/v1/reconciliations/" + run.reconciliationId()))
                .body(run);
    }

    @GetMapping("/{id}")
    @PreAuthorize(OPS)
    @Call("Shows a reconciliation")
    Run get(@PathVariable UUID id) {
        return reconciliations.find(id).orElseThrow(() -> Problem.notFound("Reconciliation " + id));
    }

    /** The last one that came to an end, and all differences that are there. */
    @GetMapping("/latest")
    @PreAuthorize(OPS)
    @Call("Shows the last reconciliation, and every difference that is there")
    Latest latest() {
        return new Latest(
                reconciliations.latest().orElseThrow(() -> Problem.notFound("A reconciliation that has ended")),
                differences.open());
    }

    /** @param differences those with {@code reportedAt} have a work order of the same id */
    record Latest(Run reconciliation, List<Found> differences) {}
}
