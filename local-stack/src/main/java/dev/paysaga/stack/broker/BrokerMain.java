package dev.paysaga.stack.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** One Kafka node, broker and controller at once, with its log kept in a folder. */
public final class BrokerMain {

    private BrokerMain() {}

    /** @param arguments the settings file of the node */
    public static void main(String[] arguments) throws Exception {
        var settings = new Properties();
        try (InputStream file = Files.newInputStream(Path.of(arguments[0]))) {
            settings.load(file);
        }
        format(settings);
        var server = new KafkaRaftServer(KafkaConfig.fromProps(settings, false), Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "shutdown"));
        server.startup();
        server.awaitShutdown();
    }

    /**
     * Gives the folder its cluster id, once. The formatter itself rather than its command line, which takes three times as
     * long.
     */
    private static void format(Properties settings) throws Exception {
        Path logs = Path.of(settings.getProperty("log.dirs"));
        if (Files.exists(logs.resolve("meta.properties"))) {
            return;
        }
        createDirectories(logs);
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(Integer.parseInt(settings.getProperty("node.id")))
                .setControllerListenerName(settings.getProperty("controller.listener.names"))
                .setMetadataLogDirectory(logs.toString())
                .addDirectory(logs.toString())
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setIgnoreFormatted(true)
                .run();
    }

    private static void createDirectories(Path logs) throws IOException {
        Files.createDirectories(logs);
    }
}
