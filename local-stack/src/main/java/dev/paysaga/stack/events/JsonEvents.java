package dev.paysaga.stack.events;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paysaga.wire.EventCatalog;
import dev.paysaga.wire.TrustedClasses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Events as people write and read them: plain JSON, without Avro's marks for unions. */
public final class JsonEvents {

    /** Members that say which event it is, where a topic has several. */
    private static final List<String> TYPE_MEMBERS = List.of("@type", "type");

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final EventCatalog catalog;

    /** @param catalog which events each topic has */
    public JsonEvents(EventCatalog catalog) {
        TrustedClasses.allowGeneratedRecords();
        this.catalog = catalog;
    }

    /**
     * The event that a JSON object describes.
     *
     * @param topic where it will be published; it decides which events are possible
     * @throws WrongEvent if it is no such event, naming the field
     */
    public SpecificRecord read(String topic, String line) {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new WrongEvent("this is not JSON: " + e.getOriginalMessage());
        }
        if (!(node instanceof ObjectNode object)) {
            throw new WrongEvent("an event is a JSON object, such as {\"field\": \"value\"}");
        }
        Schema schema = schema(topic, object);
        return specific(schema, record(schema, object, ""));
    }

    /** The event as a JSON object, fields in the order of its schema. */
    public static ObjectNode write(SpecificRecord event) {
        ObjectNode object = JSON.createObjectNode();
        for (Schema.Field field : event.getSchema().getFields()) {
            object.set(field.name(), json(event.get(field.pos())));
        }
        return object;
    }

    private Schema schema(String topic, ObjectNode object) {
        Collection<Schema> schemas = catalog.schemasOf(topic);
        if (schemas.isEmpty()) {
            throw new WrongEvent("no events are known for the topic " + topic);
        }
        String names = schemas.stream().map(Schema::getName).sorted().collect(Collectors.joining(", "));
        for (String member : TYPE_MEMBERS) {
            JsonNode type = object.get(member);
            if (type == null || schemas.stream().anyMatch(schema -> schema.getField(member) != null)) {
                continue;
            }
            object.remove(member);
            return schemas.stream()
                    .filter(schema -> schema.getName().equals(type.asText())
                            || schema.getFullName().equals(type.asText()))
                    .findFirst()
                    .orElseThrow(() -> new WrongEvent(
                            "field " + member + ": " + topic + " has no event " + type + "; it has " + names));
        }
        if (schemas.size() > 1) {
            throw new WrongEvent("say which event it is, in a field \"type\": " + topic + " has " + names);
        }
        return schemas.iterator().next();
    }

    private static GenericRecord record(Schema schema, ObjectNode object, String path) {
        object.fieldNames().forEachRemaining(name -> {
            if (schema.getField(name) == null) {
                String known =
                        schema.getFields().stream().map(Schema.Field::name).collect(Collectors.joining(", "));
                throw new WrongEvent("field " + path + name + " is unknown; " + schema.getName() + " has " + known);
            }
        });
        var record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
            JsonNode value = object.get(field.name());
            if (value != null) {
                record.put(field.pos(), value(field.schema(), value, path + field.name()));
            } else if (field.hasDefaultValue()) {
                record.put(field.pos(), GenericData.get().getDefaultValue(field));
            } else {
                throw new WrongEvent("field " + path + field.name() + " is missing");
            }
        }
        return record;
    }

    private static @Nullable Object value(Schema schema, JsonNode value, String path) {
        return switch (schema.getType()) {
            case UNION -> union(schema, value, path);
            case NULL -> {
                expect(value.isNull(), "null", value, path);
                yield null;
            }
            case RECORD -> {
                expect(value.isObject(), "an object", value, path);
                yield record(schema, (ObjectNode) value, path + ".");
            }
            case ARRAY -> array(schema, value, path);
            case MAP -> map(schema, value, path);
            case ENUM -> {
                expect(
                        value.isTextual() && schema.hasEnumSymbol(value.asText()),
                        "one of " + schema.getEnumSymbols(),
                        value,
                        path);
                yield new GenericData.EnumSymbol(schema, value.asText());
            }
            case STRING -> {
                expect(value.isTextual(), "a text", value, path);
                yield text(schema, value.asText(), path);
            }
            case LONG -> {
                expect(value.isIntegralNumber() && value.canConvertToLong(), "a whole number", value, path);
                yield value.asLong();
            }
            case INT -> {
                expect(value.isIntegralNumber() && value.canConvertToInt(), "a whole number", value, path);
                yield value.asInt();
            }
            case BOOLEAN -> {
                expect(value.isBoolean(), "true or false", value, path);
                yield value.asBoolean();
            }
            case DOUBLE -> {
                expect(value.isNumber(), "a number", value, path);
                yield value.asDouble();
            }
            case FLOAT -> {
                expect(value.isNumber(), "a number", value, path);
                yield (float) value.asDouble();
            }
            case BYTES, FIXED -> {
                expect(value.isTextual(), "bytes as base64", value, path);
                yield bytes(schema, value.asText(), path);
            }
        };
    }

    private static void expect(boolean met, String expected, JsonNode found, String path) {
        if (!met) {
            throw new WrongEvent("field " + path + ": expected " + expected + ", found " + found);
        }
    }

    private static @Nullable Object union(Schema schema, JsonNode value, String path) {
        List<Schema> others = schema.getTypes().stream()
                .filter(branch -> branch.getType() != Schema.Type.NULL)
                .toList();
        if (value.isNull() && schema.isNullable()) {
            return null;
        }
        WrongEvent first = null;
        for (Schema branch : others) {
            try {
                return value(branch, value, path);
            } catch (WrongEvent wrong) {
                first = first == null ? wrong : first;
            }
        }
        throw first == null ? new WrongEvent("field " + path + ": expected null, found " + value) : first;
    }

    private static String text(Schema schema, String text, String path) {
        if (LogicalTypes.uuid().equals(schema.getLogicalType())) {
            try {
                return UUID.fromString(text).toString();
            } catch (IllegalArgumentException e) {
                throw new WrongEvent("field " + path + ": expected a UUID, found \"" + text + "\"");
            }
        }
        return text;
    }

    private static List<@Nullable Object> array(Schema schema, JsonNode value, String path) {
        expect(value.isArray(), "a list", value, path);
        var list = new ArrayList<@Nullable Object>();
        for (int index = 0; index < value.size(); index++) {
            list.add(value(schema.getElementType(), value.get(index), path + "[" + index + "]"));
        }
        return list;
    }

    private static Map<String, @Nullable Object> map(Schema schema, JsonNode value, String path) {
        expect(value.isObject(), "an object", value, path);
        var map = new HashMap<String, @Nullable Object>();
        value.properties()
                .forEach(member -> map.put(
                        member.getKey(),
                        value(schema.getValueType(), member.getValue(), path + "." + member.getKey())));
        return map;
    }

    private static Object bytes(Schema schema, String text, String path) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            if (schema.getType() == Schema.Type.FIXED) {
                return new GenericData.Fixed(schema, bytes);
            }
            return ByteBuffer.wrap(bytes);
        } catch (IllegalArgumentException e) {
            throw new WrongEvent("field " + path + ": expected bytes as base64");
        }
    }

    private static SpecificRecord specific(Schema schema, GenericRecord record) {
        try {
            var bytes = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
            new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
            return new SpecificDatumReader<SpecificRecord>(schema)
                    .read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
        } catch (IOException e) {
            throw new IllegalStateException("memory does not fail to be read", e);
        }
    }

    private static JsonNode json(@Nullable Object value) {
        return switch (value) {
            case null -> JSON.nullNode();
            case SpecificRecord record -> write(record);
            case Collection<?> list -> {
                ArrayNode array = JSON.createArrayNode();
                list.forEach(element -> array.add(json(element)));
                yield array;
            }
            case Map<?, ?> map -> {
                ObjectNode object = JSON.createObjectNode();
                map.forEach((key, element) -> object.set(key.toString(), json(element)));
                yield object;
            }
            case ByteBuffer bytes ->
                JSON.getNodeFactory().textNode(Base64.getEncoder().encodeToString(bytes.array()));
            case Long number -> JSON.getNodeFactory().numberNode(number);
            case Integer number -> JSON.getNodeFactory().numberNode(number);
            case Double number -> JSON.getNodeFactory().numberNode(number);
            case Float number -> JSON.getNodeFactory().numberNode(number);
            case Boolean truth -> JSON.getNodeFactory().booleanNode(truth);
            default -> JSON.getNodeFactory().textNode(value.toString());
        };
    }
}
