package dev.paysaga.testkit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** The shared servers of this JVM as properties of a service. */
public final class TestServers {

    private TestServers() {}

    /**
     * Properties for a service with a new database, the shared broker and an empty schema registry in memory.
     *
     * @param service the service's name, for example {@code order}
     */
    public static Map<String, Object> properties(String service) {
        return properties(PostgresServer.shared().createDatabase(service), KafkaBroker.shared());
    }

    /** Properties for a service on this database and this broker. */
    public static Map<String, Object> properties(PostgresDatabase database, KafkaBroker broker) {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("spring.datasource.url", database.url());
        properties.put("spring.datasource.username", database.username());
        properties.put("spring.datasource.password", database.password());
        properties.put("saga.relay.username", database.relayUsername());
        properties.put("saga.relay.password", database.relayPassword());
        // Slots are named once per server, and here many databases share one.
        properties.put("saga.relay.slot-name", database.name());
        // A starved machine must look neither like a pool that is used up nor like a client that says nothing.
        properties.put("spring.datasource.hikari.connection-timeout", 60_000);
        properties.put("server.tomcat.connection-timeout", "5m");
        properties.put("spring.kafka.bootstrap-servers", broker.bootstrapServers());
        properties.put("saga.schema-registry-url", "mock://" + UUID.randomUUID());
        properties.put("saga.partitions", 3);
        properties.put("spring.security.oauth2.resourceserver.jwt.public-key-location", TestTokens.publicKeyLocation());
        properties.put("server.port", 0);
        properties.put("management.server.port", 0);
        return properties;
    }
}
