package dev.paysaga.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.wire.letters.LetterLost;
import dev.paysaga.wire.letters.LetterSent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfluentWireTest {

    private static final UUID LETTER = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    private RegistryStub registry;
    private ConfluentWire wire;

    @BeforeEach
    void start() throws IOException {
        registry = new RegistryStub();
        wire = ConfluentWire.of(registry.url());
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    @Test
    void an_event_comes_back_as_it_went() {
        LetterSent sent = letter("by air", "penny black", "penny red");

        assertThat(wire.decode(wire.encode("post", sent))).isEqualTo(sent);
        assertThat(ConfluentWire.of(registry.url()).decode(wire.encode("post", sent)))
                .isEqualTo(sent);
    }

    @Test
    void the_bytes_are_magic_byte_and_big_endian_schema_id_and_avro_binary() {
        byte[] bytes = wire.encode("post", new LetterLost(LETTER));

        assertThat(Arrays.copyOf(bytes, 6)).containsExactly(0, 0, 1, 2, 3, 2 * 36);
        assertThat(new String(bytes, 6, 36, UTF_8)).isEqualTo(LETTER.toString());
        assertThat(bytes).hasSize(6 + 36);
    }

    @Test
    void a_subject_is_named_by_topic_and_record_and_registered_once() {
        wire.register(new Letters(), List.of("post", "lost-property"));
        wire.register(new Letters(), List.of("post", "lost-property"));
        wire.encode("post", letter(null));
        wire.encode("lost-property", new LetterLost(LETTER));

        assertThat(registry.calls())
                .containsExactly(
                        "POST /subjects/post-dev.paysaga.wire.letters.LetterSent/versions",
                        "POST /subjects/lost-property-dev.paysaga.wire.letters.LetterLost/versions");
    }

    @Test
    void what_is_published_does_not_speak_of_java() {
        byte[] bytes = wire.encode("post", letter(null));

        assertThat(registry.schema(ByteBuffer.wrap(bytes).getInt(1)))
                .contains("An event for the codec's tests.")
                .contains("\"logicalType\":\"uuid\"")
                .doesNotContain("java");
    }

    @Test
    void a_registry_that_is_away_disturbs_nobody_who_knows_the_schemas() {
        wire.register(new Letters(), List.of("post"));
        wire.decode(wire.encode("post", letter(null)));

        registry.close();

        assertThat(wire.decode(wire.encode("post", letter("still here")))).isEqualTo(letter("still here"));
    }

    @Test
    void an_event_of_an_older_schema_gets_the_defaults_of_what_it_lacks() throws IOException {
        Schema old = oldLetterSent();
        var letter = new GenericData.Record(old);
        letter.put("letterId", LETTER.toString());
        letter.put("weight", 20L);
        letter.put("stamps", List.of("penny black"));

        SpecificRecord read = wire.decode(bytes(old, letter));

        assertThat(read).isEqualTo(new LetterSent(LETTER, 20L, List.of("penny black"), null));
    }

    @Test
    void many_threads_do_not_disturb_each_other() throws Exception {
        List<Callable<Boolean>> work = IntStream.range(0, 200)
                .<Callable<Boolean>>mapToObj(i -> () -> {
                    LetterSent sent = letter("x".repeat(i * 400), "stamp " + i);
                    return wire.decode(wire.encode("post", sent)).equals(sent);
                })
                .toList();

        try (var threads = Executors.newFixedThreadPool(8)) {
            for (var answer : threads.invokeAll(work)) {
                assertThat(answer.get()).isTrue();
            }
        }
    }

    @Test
    void an_event_that_does_not_fit_its_schema_is_refused_and_the_next_one_is_untouched() {
        var broken = new LetterSent(LETTER, 1L, null, null);

        assertThatThrownBy(() -> wire.encode("post", broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LetterSent");
        assertThat(wire.decode(wire.encode("post", letter(null)))).isEqualTo(letter(null));
    }

    @Test
    void a_tombstone_is_undecodable() {
        assertThatThrownBy(() -> wire.decode(null)).isInstanceOf(UndecodableEvent.class);
    }

    @Test
    void bytes_without_the_magic_byte_are_undecodable_and_nobody_is_asked() {
        assertThatThrownBy(() -> wire.decode("{\"json\": true}".getBytes(UTF_8)))
                .isInstanceOf(UndecodableEvent.class)
                .hasMessageContaining("starts with the byte 0");
        assertThat(registry.calls()).isEmpty();
    }

    @Test
    void an_event_cut_short_anywhere_is_undecodable() {
        byte[] whole = wire.encode("post", letter("note", "penny black"));

        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> wire.decode(cut)).isInstanceOf(UndecodableEvent.class);
        }
    }

    @Test
    void bytes_left_over_are_undecodable() {
        byte[] whole = wire.encode("post", letter(null));

        assertThatThrownBy(() -> wire.decode(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(UndecodableEvent.class)
                .hasMessageContaining("left over");
    }

    @Test
    void absurd_lengths_are_undecodable_and_take_no_memory() {
        byte[] whole = wire.encode("post", letter(null));
        byte[] absurd = Arrays.copyOf(whole, 5 + 5);
        byte[] hugeLength = {-2, -1, -1, -1, 15};
        System.arraycopy(hugeLength, 0, absurd, 5, 5);

        assertThatThrownBy(() -> wire.decode(absurd)).isInstanceOf(UndecodableEvent.class);
    }

    @Test
    void an_id_that_the_registry_does_not_know_is_undecodable() {
        assertThatThrownBy(() -> wire.decode(new byte[] {0, 0, 0, 0, 77, 1, 2, 3}))
                .isInstanceOf(UndecodableEvent.class)
                .hasMessageContaining("77");
    }

    @Test
    void a_record_that_no_class_is_generated_for_is_undecodable() {
        int foreign = registry.holds("{\"type\":\"record\",\"name\":\"Telegram\",\"namespace\":\"x.y\",\"fields\":[]}");

        assertThatThrownBy(() -> wire.decode(prefix(foreign)))
                .isInstanceOf(UndecodableEvent.class)
                .hasMessageContaining("x.y.Telegram");
    }

    @Test
    void a_schema_cannot_call_for_an_arbitrary_class() {
        int file = registry.holds("{\"type\":\"record\",\"name\":\"File\",\"namespace\":\"java.io\",\"fields\":[]}");

        assertThatThrownBy(() -> wire.decode(prefix(file)))
                .isInstanceOf(UndecodableEvent.class)
                .hasMessageContaining("java.io.File");
    }

    @Test
    void schemas_that_are_no_avro_record_are_undecodable() {
        int word = registry.holds("\"string\"");
        int json = registry.holds(Map.of("schema", "{\"type\":\"object\"}", "schemaType", "JSON"));

        assertThatThrownBy(() -> wire.decode(prefix(word))).isInstanceOf(UndecodableEvent.class);
        assertThatThrownBy(() -> wire.decode(prefix(json))).isInstanceOf(UndecodableEvent.class);
    }

    @Test
    void a_writer_whose_event_cannot_be_read_as_ours_is_undecodable() throws IOException {
        Schema other = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"LetterLost\",\"namespace\":\"dev.paysaga.wire.letters\","
                        + "\"fields\":[{\"name\":\"letterId\",\"type\":\"long\"}]}");
        var letter = new GenericData.Record(other);
        letter.put("letterId", 5L);
        byte[] bytes = bytes(other, letter);

        assertThatThrownBy(() -> wire.decode(bytes)).isInstanceOf(UndecodableEvent.class);
    }

    @ParameterizedTest
    @CsvSource({
        // status | body                                             : none of them says that the schema does not exist
        "500, '{\"error_code\":50001,\"message\":\"store\"}'",
        "503, Service Unavailable",
        "429, '{\"error_code\":42901,\"message\":\"slow down\"}'",
        "401, '{\"error_code\":401,\"message\":\"who are you\"}'",
        "404, nothing at this address",
        "404, '{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}'",
        "200, this is no JSON",
    })
    void a_registry_in_trouble_is_worth_another_try(int status, String body) {
        LetterSent sent = letter(null);
        byte[] bytes = wire.encode("post", sent);
        registry.failsWith(status, body);
        ConfluentWire late = ConfluentWire.of(registry.url());

        assertThatThrownBy(() -> late.decode(bytes)).isInstanceOf(RegistryUnavailable.class);
        assertThatThrownBy(() -> late.encode("post", sent)).isInstanceOf(RegistryUnavailable.class);

        registry.recovers();
        assertThat(late.decode(bytes)).isEqualTo(sent);
        assertThat(late.encode("post", sent)).isEqualTo(bytes);
    }

    @Test
    void a_registry_that_nobody_answers_for_is_worth_another_try() {
        byte[] bytes = wire.encode("post", letter(null));
        registry.close();
        ConfluentWire late = ConfluentWire.of(registry.url());

        assertThatThrownBy(() -> late.decode(bytes)).isInstanceOf(RegistryUnavailable.class);
        assertThatThrownBy(() -> late.register(new Letters(), List.of("post"))).isInstanceOf(RegistryUnavailable.class);
    }

    @ParameterizedTest
    @CsvSource({"409, 409", "422, 42201"})
    void a_schema_that_the_registry_refuses_is_not_tried_again(int status, int errorCode) {
        registry.failsWith(status, "{\"error_code\":" + errorCode + ",\"message\":\"incompatible\"}");

        assertThatThrownBy(() -> wire.register(new Letters(), List.of("post")))
                .isInstanceOf(SchemaRefused.class)
                .hasMessageContaining("post-dev.paysaga.wire.letters.LetterSent");
    }

    @Test
    void a_registry_in_memory_serves_all_of_its_scope() {
        byte[] bytes = ConfluentWire.of("mock://letters").encode("post", letter(null));

        assertThat(ConfluentWire.of("mock://letters").decode(bytes)).isEqualTo(letter(null));
    }

    private byte[] bytes(Schema schema, GenericData.Record value) throws IOException {
        var out = new ByteArrayOutputStream();
        out.write(prefix(registry.holds(schema.toString())));
        var encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericData.Record>(schema).write(value, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    private static byte[] prefix(int id) {
        return ByteBuffer.allocate(5).put((byte) 0).putInt(id).array();
    }

    private static LetterSent letter(String note, String... stamps) {
        return new LetterSent(LETTER, 20L, List.of(stamps), note);
    }

    private static Schema oldLetterSent() {
        Schema now = LetterSent.getClassSchema();
        return Schema.createRecord(
                now.getName(),
                now.getDoc(),
                now.getNamespace(),
                false,
                now.getFields().stream()
                        .filter(field -> !field.name().equals("note"))
                        .map(field -> new Schema.Field(field, field.schema()))
                        .toList());
    }

    private static final class Letters implements EventCatalog {

        @Override
        public EventRoute route(SpecificRecord event) {
            return new EventRoute("post", "letter", LETTER.toString(), Map.of());
        }

        @Override
        public Collection<Schema> schemasOf(String topic) {
            return List.of(topic.equals("post") ? LetterSent.getClassSchema() : LetterLost.getClassSchema());
        }
    }
}
