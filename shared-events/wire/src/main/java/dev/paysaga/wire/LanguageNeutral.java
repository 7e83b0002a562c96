package dev.paysaga.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.avro.Schema;

/** Schemas as they are published: without the marks that Avro's compiler leaves in them for Java alone. */
final class LanguageNeutral {

    private static final ObjectMapper JSON = new ObjectMapper();

    private LanguageNeutral() {}

    static Schema schema(Schema generated) {
        try {
            JsonNode tree = JSON.readTree(generated.toString());
            strip(tree);
            return new Schema.Parser().parse(tree.toString());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a schema prints itself as JSON", e);
        }
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove("avro.java.string");
        }
        node.forEach(LanguageNeutral::strip);
    }
}
