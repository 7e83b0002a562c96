package dev.paysaga.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

final class TestServersIT {

    @Test
    void postgresqlKeepsWhatWasCommittedOverAKill() {
        try (var server = PostgresServer.start()) {
            var database = server.createDatabase("order");
            var jdbc = JdbcClient.create(database.dataSource());
            jdbc.sql("create table kept (id int)").update();
            jdbc.sql("insert into kept values (7)").update();

            server.kill();
            server.restart();

            assertThat(jdbc.sql("select id from kept").query(Integer.class).list())
                    .containsExactly(7);
            assertThat(jdbc.sql("show wal_level").query(String.class).single()).isEqualTo("logical");
        }
    }

    @Test
    void kafkaKeepsItsRecordsOverARestart() throws Exception {
        try (var broker = KafkaBroker.start()) {
            broker.createTopics(List.of("kept"), 2);
            try (var producer = new KafkaProducer<>(
                    Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()),
                    new StringSerializer(),
                    new ByteArraySerializer())) {
                producer.send(new ProducerRecord<>("kept", "key", new byte[] {7}))
                        .get();
            }

            broker.stop();
            broker.restart();

            assertThat(broker.read(List.of("kept"))).singleElement().satisfies(record -> {
                assertThat(record.key()).isEqualTo("key");
                assertThat(record.value()).containsExactly(7);
            });
        }
    }
}
