package dev.paysaga.testkit.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What of an API's new document would break a client of the old one. Adding is no breach: a call, an optional field of a
 * request, a field of an answer, another refusal.
 */
final class BreakingChanges {

    private final JsonNode before;
    private final JsonNode after;
    private final List<String> found = new ArrayList<>();
    private final Set<String> compared = new TreeSet<>();

    private BreakingChanges(JsonNode before, JsonNode after) {
        this.before = before;
        this.after = after;
    }

    /** Each as a sentence that begins with its place; empty if there is none. */
    static List<String> between(JsonNode before, JsonNode after) {
        var changes = new BreakingChanges(before, after);
        before.path("paths")
                .forEachEntry((path, methods) -> methods.forEachEntry((method, operation) -> {
                    JsonNode now = after.path("paths").path(path).path(method);
                    String place = method.toUpperCase(java.util.Locale.ROOT) + " " + path;
                    if (now.isMissingNode()) {
                        changes.found.add(place + ": is gone");
                    } else {
                        changes.operation(place, operation, now);
                    }
                }));
        return List.copyOf(changes.found);
    }

    private void operation(String place, JsonNode old, JsonNode now) {
        parameters(place, old.path("parameters"), now.path("parameters"));
        requestBody(place, old.path("requestBody"), now.path("requestBody"));
        old.path("responses").forEachEntry((status, response) -> {
            JsonNode same = now.path("responses").path(status);
            if (same.isMissingNode()) {
                found.add(place + ": no longer answers " + status);
                return;
            }
            response.path("content").forEachEntry((type, content) -> {
                JsonNode other = same.path("content").path(type);
                if (other.isMissingNode()) {
                    found.add(place + " " + status + ": no longer answers " + type);
                } else {
                    schema(place + " " + status, content.path("schema"), other.path("schema"), false);
                }
            });
            response.path("headers").forEachEntry((header, any) -> {
                if (same.path("headers").path(header).isMissingNode()) {
                    found.add(place + " " + status + ": header " + header + " is gone");
                }
            });
            for (JsonNode slug : response.path("x-problem-types")) {
                if (!values(same.path("x-problem-types")).contains(slug)) {
                    found.add(place + " " + status + ": " + slug.asString() + " is gone");
                }
            }
        });
        for (JsonNode rule : old.path("security")) {
            if (!values(now.path("security")).contains(rule)) {
                found.add(place + ": a token with " + rule + " is no longer enough");
            }
        }
    }

    private void parameters(String place, JsonNode old, JsonNode now) {
        for (JsonNode parameter : now) {
            JsonNode same = parameter(old, parameter);
            boolean wasRequired = same.path("required").asBoolean(false);
            if (parameter.path("required").asBoolean(false) && !wasRequired) {
                found.add(place + ": " + name(parameter) + " is now required");
            }
        }
        for (JsonNode parameter : old) {
            JsonNode same = parameter(now, parameter);
            if (same.isMissingNode()) {
                found.add(place + ": " + name(parameter) + " is gone");
            } else {
                schema(place + " " + name(parameter), parameter.path("schema"), same.path("schema"), true);
            }
        }
    }

    private static JsonNode parameter(JsonNode all, JsonNode wanted) {
        for (JsonNode parameter : all) {
            if (name(parameter).equals(name(wanted))) {
                return parameter;
            }
        }
        return MissingNode.getInstance();
    }

    private static String name(JsonNode parameter) {
        return parameter.path("in").asString() + " parameter "
                + parameter.path("name").asString();
    }

    private void requestBody(String place, JsonNode old, JsonNode now) {
        if (now.path("required").asBoolean(false) && !old.path("required").asBoolean(false)) {
            found.add(place + ": a body is now required");
        }
        old.path("content").forEachEntry((type, content) -> {
            JsonNode same = now.path("content").path(type);
            if (same.isMissingNode()) {
                found.add(place + ": no longer takes " + type);
            } else {
                schema(place + " body", content.path("schema"), same.path("schema"), true);
            }
        });
    }

    /** @param request whether it is sent by clients: they may be asked for less; of what they get, nothing may go away */
    private void schema(String place, JsonNode old, JsonNode now, boolean request) {
        if (old.has("$ref") || now.has("$ref")) {
            if (compared.add(old + " " + now + " " + request)) {
                schema(place, resolved(before, old), resolved(after, now), request);
            }
            return;
        }
        if (old.has("anyOf") || now.has("anyOf")) { // something or null
            boolean nullable = old.has("anyOf");
            if (nullable != now.has("anyOf") && (request ? nullable : !nullable)) {
                found.add(place + ": null " + (request ? "is no longer taken" : "is now possible"));
            }
            schema(place, something(old), something(now), request);
            return;
        }
        types(place, old, now, request);
        names(place, old, now, request);
        if (!old.path("format").equals(now.path("format"))) {
            found.add(place + ": was " + old.path("format") + " and is " + now.path("format"));
        }
        old.path("properties").forEachEntry((field, type) -> {
            JsonNode same = now.path("properties").path(field);
            if (same.isMissingNode()) {
                found.add(place + ": field " + field + " is gone");
            } else {
                schema(place + "." + field, type, same, request);
            }
        });
        Set<String> required = strings(request ? now.path("required") : old.path("required"));
        required.removeAll(strings(request ? old.path("required") : now.path("required")));
        required.forEach(field ->
                found.add(place + ": field " + field + (request ? " is now required" : " is no longer always there")));
        if (old.has("items")) {
            schema(place + "[]", old.path("items"), now.path("items"), request);
        }
        if (old.path("additionalProperties").isObject()) {
            schema(place + ".*", old.path("additionalProperties"), now.path("additionalProperties"), request);
        }
    }

    /** What clients send must still be taken; what they get must be what they know. */
    private void types(String place, JsonNode old, JsonNode now, boolean request) {
        Set<String> more = strings(request ? old.path("type") : now.path("type"));
        more.removeAll(strings(request ? now.path("type") : old.path("type")));
        if (!more.isEmpty()) {
            found.add(place + ": was " + strings(old.path("type")) + " and is " + strings(now.path("type")));
        }
    }

    private void names(String place, JsonNode old, JsonNode now, boolean request) {
        if (!old.has("enum")) {
            if (now.has("enum") && request) {
                found.add(place + ": now takes only " + strings(now.path("enum")));
            }
            return;
        }
        Set<String> more = strings(request ? old.path("enum") : now.path("enum"));
        more.removeAll(strings(request ? now.path("enum") : old.path("enum")));
        if (!more.isEmpty()) {
            found.add(place + ": " + more + (request ? " is no longer taken" : " is new to whoever reads it"));
        }
    }

    private static JsonNode something(JsonNode schema) {
        return schema.has("anyOf") ? schema.path("anyOf").get(0) : schema;
    }

    private static JsonNode resolved(JsonNode document, JsonNode schema) {
        return schema.has("$ref") ? document.at(schema.path("$ref").asString().substring(1)) : schema;
    }

    private static Set<String> strings(JsonNode node) {
        return (node.isArray()
                        ? node.values().stream()
                        : node.isMissingNode()
                                ? java.util.stream.Stream.<JsonNode>empty()
                                : java.util.stream.Stream.of(node))
                .map(JsonNode::asString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<JsonNode> values(JsonNode array) {
        return array.values().stream().toList();
    }
}
