package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.events.PaymentSaga;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The structure is that of AsyncAPI 3.0.0: what it demands, and that every reference leads somewhere. */
class AsyncApiDocumentTest {

    private static final Path COMMITTED = Path.of("..", "docs", "asyncapi.yaml");

    private static final Map<String, Object> ROOT = new Yaml().load(AsyncApiDocument.text());

    @Test
    void the_committed_document_says_what_the_services_do() throws IOException {
        String present = AsyncApiDocument.text();
        Path fresh = Files.writeString(Path.of("target", "asyncapi.yaml"), present);
        assertThat(Files.exists(COMMITTED) && Files.readString(COMMITTED).equals(present))
                .as("docs/asyncapi.yaml is stale; the present one is in simulation/%s: copy it over", fresh)
                .isTrue();
    }

    @Test
    void it_has_what_the_specification_demands() {
        assertThat(ROOT)
                .containsEntry("asyncapi", "3.0.0")
                .containsKeys("info", "channels", "operations", "components");
        assertThat(at(ROOT, "info")).containsKeys("title", "version");
        at(ROOT, "servers").values().forEach(server -> assertThat(map(server)).containsKeys("host", "protocol"));
        at(ROOT, "operations").forEach((id, operation) -> {
            assertThat(id).matches("[A-Za-z0-9_-]+");
            assertThat(map(operation).get("action")).isIn("send", "receive");
            assertThat(at(map(operation), "channel")).containsOnlyKeys("$ref");
        });
    }

    @Test
    void every_topic_is_a_channel_with_its_events() {
        assertThat(at(ROOT, "channels").values().stream()
                        .map(channel -> map(channel).get("address")))
                .containsExactlyInAnyOrderElementsOf(new ArrayList<Object>(PaymentSaga.topics()));
        at(ROOT, "channels")
                .values()
                .forEach(channel -> assertThat(at(map(channel), "messages"))
                        .hasSameSizeAs(new PaymentSaga()
                                .schemasOf(String.valueOf(map(channel).get("address")))));
    }

    @Test
    void every_reference_leads_somewhere() {
        var references = new ArrayList<String>();
        collect(ROOT, references);
        assertThat(references).hasSizeGreaterThan(60).allSatisfy(reference -> {
            if (reference.startsWith("#/")) {
                assertThat(resolved(reference)).as(reference).isNotNull();
            } else {
                assertThat(COMMITTED.resolveSibling(reference)).as(reference).exists();
            }
        });
    }

    @Test
    void an_operation_speaks_only_of_its_channels_messages() {
        at(ROOT, "operations").values().forEach(operation -> {
            String channel = String.valueOf(at(map(operation), "channel").get("$ref"));
            assertThat((List<?>) map(operation).get("messages"))
                    .isNotEmpty()
                    .allSatisfy(message ->
                            assertThat(String.valueOf(map(message).get("$ref"))).startsWith(channel + "/messages/"));
        });
    }

    /** The topics it sends to are those it owns, by its own configuration. */
    @ParameterizedTest
    @ValueSource(strings = {"order", "inventory", "account", "notification"})
    void a_service_sends_to_the_topics_it_produces(String service) throws IOException {
        Map<String, Object> configuration = new Yaml()
                .load(Files.readString(
                        Path.of("..", service + "-service", "src", "main", "resources", "application.yml")));
        var produces = new TreeSet<>((List<?>) at(configuration, "saga").get("produces"));
        produces.removeAll(List.of("order.requests", "ops.commands")); // others write there; it only creates them

        assertThat(sends(service)).containsExactlyElementsOf(produces);
    }

    private static TreeSet<Object> sends(String service) {
        var topics = new TreeSet<>();
        at(ROOT, "operations").forEach((id, operation) -> {
            if (id.startsWith(service + "Sends")) {
                String channel = String.valueOf(at(map(operation), "channel").get("$ref"));
                topics.add(map(resolved(channel)).get("address"));
            }
        });
        return topics;
    }

    private static void collect(Object node, List<String> references) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("$ref")) {
                    references.add(value.toString());
                }
                collect(value, references);
            });
        } else if (node instanceof List<?> list) {
            list.forEach(item -> collect(item, references));
        }
    }

    private static Object resolved(String reference) {
        Object node = ROOT;
        for (String name : reference.substring(2).split("/")) {
            node = node == null ? null : map(node).get(name);
        }
        return node;
    }

    private static Map<String, Object> at(Map<String, Object> node, String name) {
        return map(node.get(name));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }
}
