package dev.paysaga.saga.relay;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Log levels that leave the relay's own words audible, as defaults of the lowest rank: a service's {@code logging.level} settings
 * come first.
 */
public final class RelayLogging implements EnvironmentPostProcessor {

    private static final String LEVEL = "logging.level.";

    /** Which settings of Debezium and Kafka are in force, in hundreds of lines at each start. */
    private static final String[] CHATTY = {
        "io.debezium",
        "org.apache.kafka.connect",
        "org.apache.kafka.common.config",
        "org.apache.kafka.common.utils.AppInfoParser",
        "org.apache.kafka.common.telemetry"
    };

    /** What ends a stream is said once, by the relay, in a sentence; these say it with a page of stack traces each. */
    private static final String[] REPEATING = {
        "io.debezium.metrics.stats.MeasurementCollector",
        "io.debezium.pipeline.ErrorHandler",
        "io.debezium.embedded.async.AsyncEmbeddedEngine",
        "io.debezium.connector.postgresql.connection.PostgresReplicationConnection",
        "io.debezium.util.Threads"
    };

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, Object> levels = new TreeMap<>();
        for (String logger : CHATTY) {
            levels.put(LEVEL + logger, "warn");
        }
        for (String logger : REPEATING) {
            levels.put(LEVEL + logger, "off");
        }
        environment.getPropertySources().addLast(new MapPropertySource("paysagaRelayLogging", levels));
    }
}
