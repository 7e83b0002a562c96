package dev.paysaga.saga.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.core.Ordered;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Takes every liberty out of reading JSON: a request about money either says exactly one thing or is refused. Nothing is
 * ignored, guessed, rounded or converted.
 */
final class StrictJson implements JsonMapperBuilderCustomizer, Ordered {

    /** After Spring Boot's own customizer (order 0), whose {@code spring.jackson.*} must not soften this. */
    @Override
    public int getOrder() {
        return 1;
    }

    @Override
    public void customize(JsonMapper.Builder json) {
        json.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .withCoercionConfigDefaults(defaults -> {
                    for (CoercionInputShape shape : CoercionInputShape.values()) {
                        if (shape != CoercionInputShape.EmptyArray && shape != CoercionInputShape.EmptyObject) {
                            defaults.setCoercion(shape, CoercionAction.Fail);
                        }
                    }
                })
                .addModule(new SimpleModule("text")
                        .addDeserializer(String.class, new Text())
                        .addDeserializer(Instant.class, new Time()));
    }

    /**
     * Strings that PostgreSQL can store and UTF-8 can carry: no U+0000, no half of a surrogate pair. A number or a
     * boolean is no string.
     */
    private static final class Text extends StdScalarDeserializer<String> {

        Text() {
            super(String.class);
        }

        @Override
        public LogicalType logicalType() {
            return LogicalType.Textual;
        }

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) {
            if (!parser.hasToken(JsonToken.VALUE_STRING) || !isStorable(parser.getString())) {
                return (String) context.handleUnexpectedToken(String.class, parser);
            }
            return parser.getString();
        }

        private static boolean isStorable(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == 0 || Character.isLowSurrogate(c)) {
                    return false;
                }
                if (Character.isHighSurrogate(c)
                        && (++i == text.length() || !Character.isLowSurrogate(text.charAt(i)))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** RFC 3339 with its zone; a bare number is no time. */
    private static final class Time extends StdScalarDeserializer<Instant> {

        Time() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return (Instant) context.handleUnexpectedToken(Instant.class, parser);
            }
            try {
                return OffsetDateTime.parse(parser.getString()).toInstant();
            } catch (DateTimeException notATime) {
                return (Instant) context.handleWeirdStringValue(Instant.class, parser.getString(), "not a time");
            }
        }
    }
}
