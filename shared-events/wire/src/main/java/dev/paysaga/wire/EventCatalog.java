package dev.paysaga.wire;

import java.util.Collection;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** A published language: which events there are, and where each one goes. */
public interface EventCatalog {

    /**
     * Where this event is published.
     *
     * @throws IllegalArgumentException if the event is not part of this language
     */
    EventRoute route(SpecificRecord event);

    /** The schemas of all events of one topic, those that may be published to it and no others. */
    Collection<Schema> schemasOf(String topic);

    /** Its words for what happens to every saga. */
    default Operations operations() {
        return Operations.SILENT;
    }
}
