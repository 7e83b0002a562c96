package dev.paysaga.saga.openapi;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * JSON Schemas (2020-12, which OpenAPI 3.1 takes as they are) of the records that controllers take and give.
 *
 * <p>What is taken and what is given differ: a request may not have fields that we do not know, and what may be left out
 * of it is not what may be null in it; an answer always has all its fields, some of them null, and may grow.
 */
final class Schemas {

    private final Map<String, Map<String, Object>> components = new TreeMap<>();
    private final Map<Named, String> names = new LinkedHashMap<>();

    private record Named(Class<?> type, boolean request) {}

    /** All records met so far, by name. */
    Map<String, Map<String, Object>> components() {
        return components;
    }

    /** What is given. */
    Map<String, Object> answer(Type type) {
        return schema(type, null, false);
    }

    /**
     * What is taken.
     *
     * @param optional its fields that may be left out
     */
    Map<String, Object> request(Class<?> type, Set<String> optional) {
        return reference(type, true, optional);
    }

    /** A value in a path or a query. */
    Map<String, Object> parameter(Type type) {
        return schema(type, null, true);
    }

    private Map<String, Object> schema(Type type, @Nullable AnnotatedType annotated, boolean request) {
        if (type instanceof ParameterizedType parameterized) {
            Class<?> raw = (Class<?>) parameterized.getRawType();
            Type[] arguments = parameterized.getActualTypeArguments();
            AnnotatedType @Nullable [] annotatedArguments = annotated instanceof AnnotatedParameterizedType known
                    ? known.getAnnotatedActualTypeArguments()
                    : new AnnotatedType[arguments.length];
            int last = arguments.length - 1;
            Map<String, Object> content = schema(arguments[last], annotatedArguments[last], request);
            return Map.class.isAssignableFrom(raw)
                    ? ordered("type", "object", "additionalProperties", content)
                    : ordered("type", "array", "items", content);
        }
        Class<?> raw = (Class<?>) type;
        return raw.isRecord() ? reference(raw, request, Set.of()) : simple(raw);
    }

    private Map<String, Object> reference(Class<?> type, boolean request, Set<String> optional) {
        var named = new Named(type, request);
        String name = names.get(named);
        if (name == null) {
            name = free(type, request);
            names.put(named, name);
            components.put(name, record(type, request, optional));
        }
        return ordered("$ref", "#/components/schemas/" + name);
    }

    /** Calls come sorted, so who comes first, and gets the short name, is no accident. */
    private String free(Class<?> type, boolean request) {
        String simple = type.getSimpleName();
        Class<?> owner = type.getEnclosingClass();
        for (String name : List.of(
                simple,
                simple + (request ? "Request" : "Answer"),
                owner == null ? "" : owner.getSimpleName() + simple)) {
            if (!name.isEmpty() && !names.containsValue(name)) {
                return name;
            }
        }
        return type.getName();
    }

    private Map<String, Object> record(Class<?> type, boolean request, Set<String> optional) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RecordComponent field : type.getRecordComponents()) {
            Map<String, Object> schema = schema(field.getGenericType(), field.getAnnotatedType(), request);
            boolean nullable = request
                    ? optional.contains(field.getName())
                    : field.getAnnotatedType().isAnnotationPresent(Nullable.class);
            properties.put(field.getName(), nullable ? orNull(schema) : schema);
        }
        Map<String, Object> schema = ordered("type", "object", "properties", properties);
        schema.put(
                "required",
                properties.keySet().stream()
                        .filter(name -> !(request && optional.contains(name)))
                        .sorted()
                        .toList());
        if (request) {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    private static Map<String, Object> orNull(Map<String, Object> schema) {
        if (schema.get("type") instanceof String type) {
            Map<String, Object> nullable = new LinkedHashMap<>(schema);
            nullable.put("type", List.of(type, "null"));
            if (schema.get("enum") instanceof List<?> names) {
                nullable.put(
                        "enum",
                        java.util.stream.Stream.concat(names.stream(), java.util.stream.Stream.of((Object) null))
                                .toList());
            }
            return nullable;
        }
        return schema.isEmpty() ? schema : ordered("anyOf", List.of(schema, ordered("type", "null")));
    }

    private static Map<String, Object> simple(Class<?> type) {
        if (type == long.class || type == Long.class) {
            return ordered("type", "integer", "format", "int64");
        }
        if (type == int.class || type == Integer.class || type == short.class || type == Short.class) {
            return ordered("type", "integer", "format", "int32");
        }
        if (type == BigInteger.class) {
            return ordered("type", "integer");
        }
        if (type == boolean.class || type == Boolean.class) {
            return ordered("type", "boolean");
        }
        if (type == UUID.class) {
            return ordered("type", "string", "format", "uuid");
        }
        if (type == Instant.class) {
            return ordered("type", "string", "format", "date-time");
        }
        if (type == URI.class) {
            return ordered("type", "string", "format", "uri");
        }
        if (type.isEnum()) {
            return ordered(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant).name())
                            .toList());
        }
        if (Collection.class.isAssignableFrom(type)) {
            return ordered("type", "array");
        }
        return CharSequence.class.isAssignableFrom(type) ? ordered("type", "string") : new LinkedHashMap<>();
    }

    /** A map that keeps the order of its keys. */
    static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
