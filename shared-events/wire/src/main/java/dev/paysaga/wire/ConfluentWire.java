package dev.paysaga.wire;

import static io.confluent.kafka.schemaregistry.client.SchemaRegistryClientConfig.HTTP_CONNECT_TIMEOUT_MS;
import static io.confluent.kafka.schemaregistry.client.SchemaRegistryClientConfig.HTTP_READ_TIMEOUT_MS;

import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientFactory;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Events as bytes, in Confluent's wire format: a zero byte, the schema's id in the registry (4 bytes, big-endian), the
 * event in Avro binary. Subjects follow TopicRecordNameStrategy: {@code <topic>-<full record name>}.
 *
 * <p>The registry is asked once per schema; afterwards a registry that is away disturbs nobody. Safe for use by many
 * threads.
 */
public final class ConfluentWire {

    static final byte MAGIC = 0;
    static final int PREFIX_LENGTH = 1 + Integer.BYTES;

    /** The registry is near; whoever waits longer for it holds up a batch, which is better retried. */
    private static final Map<String, String> TIMEOUTS =
            Map.of(HTTP_CONNECT_TIMEOUT_MS, "1000", HTTP_READ_TIMEOUT_MS, "5000");

    private static final int KNOWN_SCHEMAS_PER_SUBJECT = 1_000;

    /** Confluent's API: the schema id is not known. A bare 404 may only mean a wrong address. */
    private static final int SCHEMA_NOT_FOUND = 40403;

    private final SchemaRegistryClient registry;
    private final Map<Destination, EventWriter> writers = new ConcurrentHashMap<>();
    private final Map<Integer, EventReader> readers = new ConcurrentHashMap<>();

    /** Whoever has a registry client already, for example one with credentials. */
    public ConfluentWire(SchemaRegistryClient registry) {
        TrustedClasses.allowGeneratedRecords();
        this.registry = registry;
    }

    /**
     * @param registryUrl one or more base addresses of Confluent's API, separated by commas, or {@code mock://scope} for
     *     a registry in memory that all of one scope share. Nothing is called yet.
     */
    public static ConfluentWire of(String registryUrl) {
        return new ConfluentWire(SchemaRegistryClientFactory.newClient(
                List.of(registryUrl.split(",")),
                KNOWN_SCHEMAS_PER_SUBJECT,
                List.of(new AvroSchemaProvider()),
                TIMEOUTS,
                Map.of()));
    }

    /**
     * Registers every schema of these topics, so that {@link #encode} need not ask. To be called at start-up, and again
     * until it succeeds; what was registered stays so.
     *
     * @throws RegistryUnavailable if the registry gave no answer
     * @throws SchemaRefused if the registry will not have one of the schemas
     */
    public void register(EventCatalog catalog, Collection<String> topics) {
        for (String topic : topics) {
            for (Schema schema : catalog.schemasOf(topic)) {
                writer(new Destination(topic, schema));
            }
        }
    }

    /**
     * The event as a Kafka record's value. Asks the registry only for a schema that was never registered here.
     *
     * @throws RegistryUnavailable if it had to ask and got no answer
     * @throws SchemaRefused if it had to ask and the registry will not have the schema
     * @throws IllegalArgumentException if the event does not fit its own schema
     */
    public byte[] encode(String topic, SpecificRecord event) {
        return writer(new Destination(topic, event.getSchema())).write(event);
    }

    /**
     * The event in a Kafka record's value, as its generated class knows it: fields that the writer did not have yet get
     * their defaults.
     *
     * @param value a record's value; null, a tombstone, is no event
     * @throws UndecodableEvent if this is no event of a known class
     * @throws RegistryUnavailable if the writer's schema is not known here yet and the registry gave no answer
     */
    public SpecificRecord decode(byte @Nullable [] value) {
        if (value == null) {
            throw new UndecodableEvent("a record without a value is no event");
        }
        if (value.length < PREFIX_LENGTH) {
            throw new UndecodableEvent(value.length + " bytes are too short for an event: it starts with "
                    + PREFIX_LENGTH + " bytes of magic byte and schema id");
        }
        if (value[0] != MAGIC) {
            throw new UndecodableEvent("an event starts with the byte 0, this record with " + value[0]);
        }
        return reader(ByteBuffer.wrap(value).getInt(1)).read(value);
    }

    private EventWriter writer(Destination destination) {
        EventWriter known = writers.get(destination);
        if (known != null) {
            return known;
        }
        var writer = new EventWriter(idOf(destination), destination.schema());
        writers.put(destination, writer);
        return writer;
    }

    private EventReader reader(int schemaId) {
        EventReader known = readers.get(schemaId);
        if (known != null) {
            return known;
        }
        var reader = EventReader.of(schemaId, writersSchema(schemaId));
        readers.put(schemaId, reader);
        return reader;
    }

    private int idOf(Destination destination) {
        String subject = destination.subject();
        try {
            return registry.register(subject, new AvroSchema(LanguageNeutral.schema(destination.schema())));
        } catch (RestClientException e) {
            if (e.getStatus() == 409 || e.getStatus() == 422) {
                throw new SchemaRefused("the schema registry refuses the schema of " + subject, e);
            }
            throw new RegistryUnavailable("the schema registry did not register " + subject, e);
        } catch (IOException e) {
            throw new RegistryUnavailable("the schema registry cannot be reached to register " + subject, e);
        }
    }

    private Schema writersSchema(int schemaId) {
        ParsedSchema schema;
        try {
            schema = registry.getSchemaById(schemaId);
        } catch (RestClientException e) {
            if (e.getErrorCode() == SCHEMA_NOT_FOUND) {
                throw new UndecodableEvent("the schema registry knows no schema with id " + schemaId, e);
            }
            throw new RegistryUnavailable("the schema registry did not answer about schema id " + schemaId, e);
        } catch (IOException e) {
            if (isAboutTheSchemaItself(e)) {
                throw new UndecodableEvent("schema id " + schemaId + " is no Avro schema", e);
            }
            throw new RegistryUnavailable("the schema registry cannot be reached for schema id " + schemaId, e);
        }
        if (schema instanceof AvroSchema avro) {
            return avro.rawSchema();
        }
        throw new UndecodableEvent("schema id " + schemaId + " is no Avro schema but " + schema.schemaType());
    }

    /** Confluent's client reports an answer it cannot parse as this very kind of IOException, and nothing else so. */
    private static boolean isAboutTheSchemaItself(IOException e) {
        String message = e.getMessage();
        return e.getClass() == IOException.class && message != null && message.startsWith("Invalid schema");
    }

    private record Destination(String topic, Schema schema) {

        String subject() {
            return topic + "-" + schema.getFullName();
        }
    }
}
