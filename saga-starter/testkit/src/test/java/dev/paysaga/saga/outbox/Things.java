package dev.paysaga.saga.outbox;

import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** The language of {@link ThingHappened}. */
public final class Things implements EventCatalog {

    public static final String TOPIC = "things";

    @Override
    public EventRoute route(SpecificRecord event) {
        if (event instanceof ThingHappened it) {
            String thing = it.get(0).toString();
            return new EventRoute(TOPIC, "thing", thing, Map.of("paysaga_merchant_id", "merchant \"M\" of " + thing));
        }
        throw new IllegalArgumentException("not our language");
    }

    @Override
    public Collection<Schema> schemasOf(String topic) {
        return TOPIC.equals(topic) ? List.of(ThingHappened.SCHEMA$) : List.of();
    }
}
