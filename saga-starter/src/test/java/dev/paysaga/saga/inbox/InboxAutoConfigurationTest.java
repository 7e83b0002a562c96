package dev.paysaga.saga.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.paysaga.saga.SagaAutoConfiguration;
import dev.paysaga.saga.SagaProperties;
import dev.paysaga.saga.outbox.OutboxAutoConfiguration;
import dev.paysaga.saga.parking.ParkedEvents;
import dev.paysaga.saga.workorder.WorkOrders;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.EventRoute;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Nothing answers at the configured addresses: a service's shape does not depend on who is awake. */
final class InboxAutoConfigurationTest {

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SagaAutoConfiguration.class,
                    LaneDataSourceAutoConfiguration.class,
                    OutboxAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    KafkaAutoConfiguration.class))
            .withPropertyValues(
                    "spring.application.name=shop",
                    "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/nowhere",
                    "spring.datasource.hikari.connection-timeout=250",
                    "spring.kafka.bootstrap-servers=127.0.0.1:1",
                    "saga.schema-registry-url=mock://shop");

    private final ApplicationContextRunner service = bare.withUserConfiguration(Service.class);

    @Test
    void a_service_with_a_language_and_a_participant_listens_lane_by_lane() {
        service.run(context -> {
            assertThat(context).hasSingleBean(Reactor.class).hasSingleBean(ParkedEvents.class);
            assertThat(context.getBean(Listening.class).lanes())
                    .extracting(lane -> lane.container().getGroupId())
                    .containsExactly("shop.forward", "shop.compensation");
        });
    }

    @Test
    void a_lane_without_topics_has_no_container() {
        service.withPropertyValues("test.topics=forward")
                .run(context -> assertThat(context.getBean(Listening.class).lanes())
                        .singleElement()
                        .satisfies(lane -> assertThat(lane.lane()).isEqualTo(Lane.FORWARD)));
    }

    @Test
    void a_service_without_a_participant_is_told_what_to_declare() {
        bare.withUserConfiguration(Language.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("This service hears nothing: declare a bean of type Participant, or set"
                                + " saga.consumer.enabled=false if it only announces."));
    }

    @Test
    void a_service_that_only_announces_needs_no_participant() {
        bare.withUserConfiguration(Language.class)
                .withPropertyValues("saga.consumer.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(Reactor.class);
                    assertThat(context.getBean(Listening.class).lanes()).isEmpty();
                });
    }

    @Test
    void a_service_without_a_language_is_told_what_to_declare() {
        bare.withPropertyValues("saga.consumer.enabled=false")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("This service has no language: declare a bean of type EventCatalog"));
    }

    @Test
    void lanes_have_pools_of_their_own_behind_one_data_source() {
        service.withPropertyValues("spring.datasource.hikari.maximum-pool-size=7", "saga.consumer.compensation-pool=4")
                .run(context -> {
                    assertThat(context).hasSingleBean(DataSource.class).hasSingleBean(JdbcConnectionDetails.class);
                    var lanes = context.getBean(LaneDataSource.class);
                    var main = (HikariDataSource) lanes.getResolvedDefaultDataSource();
                    var compensation =
                            (HikariDataSource) lanes.getResolvedDataSources().get(Lane.COMPENSATION);
                    assertThat(main.getMaximumPoolSize()).isEqualTo(7);
                    assertThat(compensation.getMaximumPoolSize()).isEqualTo(4);
                    assertThat(main.getPoolName()).isEqualTo("shop");
                    assertThat(compensation.getPoolName()).isEqualTo("shop-compensation");
                    assertThat(compensation.getJdbcUrl()).isEqualTo(main.getJdbcUrl());
                });
    }

    @Test
    void the_starter_backs_off_to_the_services_own_beans() {
        var own = new SimpleDriverDataSource(new org.postgresql.Driver(), "jdbc:postgresql://127.0.0.1:1/own");
        service.withBean("own", DataSource.class, () -> own)
                .withBean(
                        "mine",
                        WorkOrders.class,
                        () -> new WorkOrders(new org.springframework.jdbc.core.JdbcTemplate(own)))
                .run(context -> {
                    assertThat(context.getBean(DataSource.class)).isSameAs(own);
                    assertThat(context).hasSingleBean(WorkOrders.class).doesNotHaveBean("workOrders");
                });
    }

    @Test
    void the_name_of_the_application_names_the_service_unless_it_has_another() {
        service.run(context ->
                assertThat(context.getBean(SagaProperties.class).serviceName()).isEqualTo("shop"));
        service.withPropertyValues("saga.service-name=till")
                .run(context -> assertThat(context.getBean(SagaProperties.class).serviceName())
                        .isEqualTo("till"));
    }

    @Test
    void defaults_are_those_of_the_documentation() {
        service.run(context -> {
            SagaProperties saga = context.getBean(SagaProperties.class);
            assertThat(saga.partitions()).isEqualTo(12);
            assertThat(saga.replicationFactor()).isEqualTo((short) 1);
            assertThat(saga.consumer().concurrency()).isEqualTo(1);
            assertThat(saga.consumer().maxPollRecords()).isEqualTo(500);
            assertThat(saga.consumer().compensationRate()).isEqualTo(200);
            assertThat(saga.consumer().firstBackOff()).isEqualTo(Duration.ofMillis(100));
            assertThat(saga.consumer().maxBackOff()).isEqualTo(Duration.ofSeconds(5));
            assertThat(saga.inbox().retention()).isEqualTo(Duration.ofDays(8));
        });
    }

    @ParameterizedTest
    @CsvSource({
        // setting                          | what is said about it
        "spring.application.name=            , saga.service-name",
        "saga.partitions=0                   , saga.partitions must be at least 1",
        "saga.replication-factor=0           , saga.replication-factor must be at least 1",
        "saga.consumer.concurrency=0         , saga.consumer.concurrency must be at least 1",
        "saga.consumer.concurrency=4         , saga.consumer.compensation-pool must be at least saga.consumer.concurrency",
        "saga.consumer.max-poll-records=0    , saga.consumer.max-poll-records must be at least 1",
        "saga.consumer.compensation-rate=-1  , saga.consumer.compensation-rate must not be negative",
        "saga.inbox.retention=1d             , saga.inbox.retention must be longer than saga.outbox.retention",
    })
    void a_setting_that_makes_no_sense_is_named(String setting, String message) {
        service.withPropertyValues(setting)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message));
    }

    @Configuration(proxyBeanMethods = false)
    static class Language {

        @Bean
        EventCatalog language() {
            return new EventCatalog() {
                @Override
                public EventRoute route(SpecificRecord event) {
                    throw new IllegalArgumentException("no events here");
                }

                @Override
                public Collection<Schema> schemasOf(String topic) {
                    return List.of();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Service extends Language {

        @Bean
        Participant<String> participant(org.springframework.core.env.Environment environment) {
            return new Participant<>() {
                @Override
                public Map<Lane, Set<String>> topics() {
                    return environment.containsProperty("test.topics")
                            ? Map.of(Lane.FORWARD, Set.of("sales"))
                            : Map.of(Lane.FORWARD, Set.of("sales"), Lane.COMPENSATION, Set.of("returns"));
                }

                @Override
                public String load(Collection<ReceivedEvent> events) {
                    return "";
                }

                @Override
                public List<? extends SpecificRecord> react(ReceivedEvent event, String world) {
                    return List.of();
                }

                @Override
                public void save(String world) {}
            };
        }
    }
}
