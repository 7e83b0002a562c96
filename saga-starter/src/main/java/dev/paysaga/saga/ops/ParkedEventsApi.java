package dev.paysaga.saga.ops;

import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.parking.ParkedEvent;
import dev.paysaga.saga.parking.ParkedEvent.Status;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.saga.parking.ParkedEvents.Release;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Events this service could not handle, and what becomes of them. */
@RestController
@RequestMapping(path = "/v1/parked-events", produces = MediaType.APPLICATION_JSON_VALUE)
class ParkedEventsApi {

    private static final String OPS = "hasAuthority('SCOPE_ops')";

    private final ParkedEvents events;

    ParkedEventsApi(ParkedEvents events) {
        this.events = events;
    }

    /** Oldest first; {@code after} is the id the page before ended with. */
    @GetMapping
    @PreAuthorize(OPS)
    @Call("Lists events that could not be handled, oldest first")
    Page list(
            @RequestParam @Nullable String status,
            @RequestParam @Nullable UUID after,
            @RequestParam(defaultValue = "50") int limit) {
        List<ParkedEvent> found = events.list(Paging.status(status, Status.class), after, Paging.limit(limit) + 1);
        return new Page(found.stream().limit(limit).map(View::of).toList(), found.size() > limit);
    }

    /** Handles it and everything that waits behind it, in order. What is done with already is answered again. */
    @PostMapping("/{id}/redrive")
    @PreAuthorize(OPS)
    @Call(
            value = "Handles a parked event and what waits behind it",
            refuses = {"409 event-still-parked", "409 parked-event-not-first", "409 parked-event-closed"})
    Released redrive(@PathVariable UUID id, Caller caller) {
        return released(id, Status.REDRIVEN, events.redrive(id, caller.subject()));
    }

    /** Does without it for good, then handles everything that waits behind it, in order. Its work order stays open. */
    @PostMapping("/{id}/skip")
    @PreAuthorize(OPS)
    @Call(
            value = "Does without a parked event and handles what waits behind it",
            refuses = {"409 event-still-parked", "409 parked-event-not-first", "409 parked-event-closed"})
    Released skip(@PathVariable UUID id, Caller caller) {
        return released(id, Status.SKIPPED, events.skip(id, caller.subject()));
    }

    private Released released(UUID id, Status wanted, Release release) {
        return switch (release.outcome()) {
            case DONE -> new Released(view(id), release.handled());
            case CLOSED_BEFORE -> {
                View event = view(id);
                if (event.status() != wanted) {
                    throw Problem.of(
                                    HttpStatus.CONFLICT,
                                    "parked-event-closed",
                                    "Parked event " + id + " is " + event.status() + " since " + event.closedAt() + ".")
                            .with("parkedEventId", id);
                }
                yield new Released(event, 0);
            }
            case STILL_PARKED -> {
                ParkedEvent stopped = Objects.requireNonNull(release.stopped());
                throw Problem.of(
                                HttpStatus.CONFLICT,
                                "event-still-parked",
                                "Parked event " + stopped.id() + " could not be handled: " + stopped.reason()
                                        + ". It and everything behind it wait; " + release.handled()
                                        + " before it were handled.")
                        .with("parkedEventId", stopped.id())
                        .with("handled", release.handled());
            }
            case NOT_FIRST ->
                throw Problem.of(
                                HttpStatus.CONFLICT,
                                "parked-event-not-first",
                                "Parked event " + id + " waits behind another one of its key, which comes first.")
                        .with("parkedEventId", id);
            case UNKNOWN -> throw Problem.notFound("Parked event " + id);
        };
    }

    private View view(UUID id) {
        return events.find(id).map(View::of).orElseThrow(() -> Problem.notFound("Parked event " + id));
    }

    /** @param hasMore whether there is another page after the last of these */
    record Page(List<View> parkedEvents, boolean hasMore) {}

    /** @param handled how many events were handled now, the ones behind it included */
    record Released(View parkedEvent, int handled) {}

    /** A parked event, as shown: without its bytes, which may be anybody's. */
    record View(
            UUID id,
            String consumer,
            String topic,
            int partition,
            long offset,
            String key,
            UUID eventId,
            @Nullable String eventType,
            String reason,
            Status status,
            @Nullable Instant parkedAt,
            @Nullable Instant closedAt) {

        static View of(ParkedEvent event) {
            return new View(
                    event.id(),
                    event.consumer(),
                    event.topic(),
                    event.partition(),
                    event.offset(),
                    event.key(),
                    event.eventId(),
                    event.eventType(),
                    event.reason(),
                    event.status(),
                    event.parkedAt(),
                    event.closedAt());
        }
    }
}
