package dev.paysaga.saga.openapi;

import static dev.paysaga.saga.openapi.Schemas.ordered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.HttpMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

/** The OpenAPI 3.1 document of one service: everything below {@code /v1/} that has a controller. */
final class ApiDocument {

    private static final String RULES = """
            Any POST may be sent again with the same Idempotency-Key: it takes effect once and is answered as it was the \
            first time. Unknown fields of a request are refused; an answer may gain fields. Money is an integer of minor \
            units. Problems are told apart by their type, never by their words.""";

    private ApiDocument() {}

    /** The document as plain maps and lists. */
    static Map<String, Object> of(String service, Map<RequestMappingInfo, HandlerMethod> handlers) {
        var schemas = new Schemas();
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (Operation operation : operations(handlers)) {
            paths.computeIfAbsent(operation.path(), any -> new LinkedHashMap<>())
                    .put(operation.method().name().toLowerCase(java.util.Locale.ROOT), operation.describe(schemas));
        }
        Map<String, Object> components = new TreeMap<>(schemas.components());
        components.put("Problem", problem());
        return ordered(
                "openapi",
                "3.1.1",
                "info",
                ordered("title", service, "version", "v1", "description", RULES),
                "paths",
                paths,
                "components",
                ordered(
                        "schemas",
                        components,
                        "securitySchemes",
                        ordered(
                                "bearer",
                                ordered(
                                        "type",
                                        "http",
                                        "scheme",
                                        "bearer",
                                        "bearerFormat",
                                        "JWT",
                                        "description",
                                        "RS256; claims sub, exp, scope and, for a merchant's own things, merchant_id."))));
    }

    private static List<Operation> operations(Map<RequestMappingInfo, HandlerMethod> handlers) {
        List<Operation> operations = new ArrayList<>();
        handlers.forEach((mapping, handler) -> {
            for (String path : mapping.getPatternValues()) {
                if (path.startsWith("/v1/")) {
                    mapping.getMethodsCondition()
                            .getMethods()
                            .forEach(method ->
                                    operations.add(new Operation(path, HttpMethod.valueOf(method.name()), handler)));
                }
            }
        });
        operations.sort(Comparator.comparing(Operation::path)
                .thenComparing(operation -> operation.method().name()));
        return operations;
    }

    /** RFC 9457. */
    private static Map<String, Object> problem() {
        Map<String, Object> error = ordered(
                "type",
                "object",
                "properties",
                ordered("field", ordered("type", "string"), "message", ordered("type", "string")),
                "required",
                List.of("field", "message"));
        return ordered(
                "type",
                "object",
                "description",
                "RFC 9457. Some types have members of their own.",
                "properties",
                ordered(
                        "type",
                        ordered("type", "string", "format", "uri"),
                        "title",
                        ordered("type", "string"),
                        "status",
                        ordered("type", "integer", "format", "int32"),
                        "detail",
                        ordered("type", "string"),
                        "instance",
                        ordered("type", "string", "format", "uri"),
                        "errors",
                        ordered("type", "array", "items", error)),
                "required",
                List.of("detail", "status", "title", "type"));
    }
}
