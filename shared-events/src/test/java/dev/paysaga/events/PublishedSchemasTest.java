package dev.paysaga.events;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** The published language may grow, and nobody who learned an older version of it may notice. */
final class PublishedSchemasTest {

    private static final boolean PUBLISH = Boolean.getBoolean("publish");

    private final Map<String, Schema> now = PublishedSchemas.now();
    private final Map<String, List<Schema>> versions = PublishedSchemas.versions();

    @Test
    void every_schema_is_compatible_with_every_version_ever_published_in_both_directions() {
        now.forEach((name, schema) -> assertThat(objections(name, schema)).isEmpty());
    }

    @Test
    void every_schema_is_written_down_as_published() {
        List<String> unpublished = new ArrayList<>();
        now.forEach((name, schema) -> {
            List<Schema> published = versions.getOrDefault(name, List.of());
            if (published.isEmpty() || !published.getLast().toString().equals(schema.toString())) {
                if (PUBLISH && objections(name, schema).isEmpty()) {
                    PublishedSchemas.publish(name, published.size() + 1, schema);
                } else {
                    unpublished.add(name);
                }
            }
        });

        if (!unpublished.isEmpty()) {
            fail("changed since it was published, or new: " + unpublished + ". If that is meant, write the new version"
                    + " down with: mvn -pl shared-events -am package -Dtest=PublishedSchemasTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dpublish=true");
        }
    }

    @Test
    void what_was_published_never_goes_away() {
        assertThat(now.keySet()).containsAll(versions.keySet());
    }

    @Test
    void a_file_is_named_as_its_record() {
        now.forEach((name, schema) -> assertThat(schema.getFullName()).isEqualTo("dev.paysaga.events." + name));
    }

    @Test
    void every_record_and_every_field_is_explained() {
        List<String> silent = new ArrayList<>();
        for (Schema schema : now.values()) {
            if (isBlank(schema.getDoc())) {
                silent.add(schema.getFullName());
            }
            schema.getFields().stream()
                    .filter(field -> isBlank(field.doc()))
                    .forEach(field -> silent.add(schema.getFullName() + "." + field.name()));
        }

        assertThat(silent).isEmpty();
    }

    @Test
    void no_amount_is_a_floating_point_number() {
        now.forEach((name, schema) -> assertThat(schema.toString())
                .as(name)
                .doesNotContain("\"double\"")
                .doesNotContain("\"float\""));
    }

    @Test
    void every_event_belongs_to_exactly_one_topic_and_every_other_record_is_part_of_an_event() {
        Set<String> parts = partsOfOthers(now.values());
        String events = now.values().stream()
                .map(Schema::getFullName)
                .filter(name -> !parts.contains(name))
                .sorted()
                .collect(joining("\n"));
        String catalog = PaymentSaga.topics().stream()
                .flatMap(topic -> new PaymentSaga().schemasOf(topic).stream())
                .map(Schema::getFullName)
                .sorted()
                .collect(joining("\n"));

        assertThat(catalog).isEqualTo(events);
    }

    @Test
    void every_topic_is_in_the_catalog() throws IllegalAccessException {
        Set<String> topics = new TreeSet<>();
        for (var constant : Topics.class.getFields()) {
            topics.add((String) constant.get(null));
        }

        assertThat(PaymentSaga.topics()).containsExactlyInAnyOrderElementsOf(topics);
    }

    private List<String> objections(String name, Schema schema) {
        return versions.getOrDefault(name, List.of()).stream()
                .flatMap(published -> SchemaEvolution.objections(published, schema).stream())
                .toList();
    }

    private static Set<String> partsOfOthers(Collection<Schema> schemas) {
        return schemas.stream()
                .flatMap(schema -> schema.getFields().stream())
                .flatMap(field -> namedTypes(field.schema()))
                .collect(Collectors.toSet());
    }

    private static Stream<String> namedTypes(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED -> Stream.of(schema.getFullName());
            case ARRAY -> namedTypes(schema.getElementType());
            case MAP -> namedTypes(schema.getValueType());
            case UNION -> schema.getTypes().stream().flatMap(PublishedSchemasTest::namedTypes);
            default -> Stream.empty();
        };
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}
