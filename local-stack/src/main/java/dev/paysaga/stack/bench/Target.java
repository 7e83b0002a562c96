package dev.paysaga.stack.bench;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * The system that is measured.
 *
 * @param order base address of order-service
 * @param inventory base address of inventory-service
 * @param account base address of account-service
 * @param bootstrapServers the Kafka brokers
 * @param databases the services' databases by service name, opened as an administrator
 */
public record Target(
        URI order,
        URI inventory,
        URI account,
        String bootstrapServers,
        Map<String, Database> databases,
        Tokens tokens,
        ResidentMemory residentMemory) {

    /** Opens a connection that the caller closes. */
    @FunctionalInterface
    public interface Database {
        Connection open() throws SQLException;
    }

    /** Makes a bearer token for a merchant. */
    @FunctionalInterface
    public interface Tokens {
        String token(String merchant, String... scopes);
    }

    /** Resident memory in bytes, by process. */
    @FunctionalInterface
    public interface ResidentMemory {
        Map<String, Long> byProcess();
    }
}
