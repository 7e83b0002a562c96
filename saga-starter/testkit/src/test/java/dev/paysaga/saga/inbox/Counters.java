package dev.paysaga.saga.inbox;

import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** The language of the tests. */
final class Counters implements EventCatalog {

    static final String BUMPS = "bumps";
    static final String UNDOS = "undos";
    static final String COUNTS = "counts";

    @Override
    public EventRoute route(SpecificRecord event) {
        return switch (event) {
            case Bumped bumped ->
                new EventRoute(BUMPS, "counter", bumped.counter().toString(), Map.of());
            case Counted counted ->
                new EventRoute(COUNTS, "counter", counted.counter().toString(), Map.of());
            default -> throw new IllegalArgumentException(event + " is no event of the counters");
        };
    }

    @Override
    public Collection<Schema> schemasOf(String topic) {
        return switch (topic) {
            case BUMPS, UNDOS -> List.of(Bumped.SCHEMA$);
            case COUNTS -> List.of(Counted.SCHEMA$);
            default -> List.of();
        };
    }
}
