package dev.paysaga.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class BreakingChangesTest {

    private static final String API = """
            {"paths": {
               "/v1/things": {"post": {
                 "parameters": [{"name": "Key", "in": "header", "required": true, "schema": {"type": "string"}},
                                {"name": "limit", "in": "query", "required": false, "schema": {"type": "integer"}}],
                 "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}},
                 "responses": {
                   "201": {"headers": {"Location": {}},
                           "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                   "409": {"x-problem-types": ["a", "b"]}},
                 "security": [{"bearer": ["write"]}]}},
               "/v1/things/{id}": {"get": {"responses": {"200": {}}}}},
             "components": {"schemas": {
               "New": {"type": "object", "required": ["no"], "additionalProperties": false,
                       "properties": {"no": {"type": "string"}, "kind": {"type": "string", "enum": ["FAST", "SLOW"]},
                                      "note": {"type": ["string", "null"]}}},
               "Thing": {"type": "object", "required": ["id", "state"],
                         "properties": {"id": {"type": "string", "format": "uuid"}, "state": {"type": "string", "enum": ["ON", "OFF"]},
                                        "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}}}},
               "Line": {"type": "object", "required": [], "properties": {"count": {"type": "integer"}}}}}}
            """;

    @Test
    void theSameBreaksNobody() {
        assertThat(BreakingChanges.between(read(API), read(API))).isEmpty();
    }

    /** Columns: what is replaced in the document, by what, and how the breach is called; none if it breaks nobody. */
    @ParameterizedTest(name = "{0} -> {1}: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '\0', nullValues = "-", textBlock = """
            "/v1/things/{id}"                                   | "/v1/stuff/{id}"                                                | GET /v1/things/{id}: is gone
            {"get":                                             | {"put":                                                         | GET /v1/things/{id}: is gone
            "name": "Key"                                       | "name": "OtherKey"                                              | POST /v1/things: header parameter OtherKey is now required
            "limit", "in": "query", "required": false           | "limit", "in": "query", "required": true                        | POST /v1/things: query parameter limit is now required
            "required": false, "schema": {"type": "integer"}    | "required": false, "schema": {"type": "string"}                 | POST /v1/things query parameter limit: was [integer] and is [string]
            "required": ["no"]                                  | "required": ["kind", "no"]                                      | POST /v1/things body: field kind is now required
            "required": ["no"]                                  | "required": []                                                  | -
            "no": {"type": "string"}                            | "number": {"type": "string"}                                    | POST /v1/things body: field no is gone
            "no": {"type": "string"}                            | "no": {"type": "integer"}                                       | POST /v1/things body.no: was [string] and is [integer]
            "no": {"type": "string"}                            | "no": {"type": ["string", "null"]}                              | -
            "no": {"type": "string"}                            | "no": {"type": "string", "enum": ["A"]}                         | POST /v1/things body.no: now takes only [A]
            "note": {"type": ["string", "null"]}                | "note": {"type": "string"}                                      | POST /v1/things body.note: was [null, string] and is [string]
            "no": {"type": "string"}                            | "no": {"type": "string"}, "more": {"type": "string"}            | -
            ["FAST", "SLOW"]                                    | ["FAST"]                                                        | POST /v1/things body.kind: [SLOW] is no longer taken
            ["FAST", "SLOW"]                                    | ["FAST", "SLOW", "LATE"]                                        | -
            "id": {"type": "string", "format": "uuid"}          | "thing": {"type": "string", "format": "uuid"}                   | POST /v1/things 201: field id is gone
            "id": {"type": "string", "format": "uuid"}          | "id": {"type": "string", "format": "uuid"}, "more": {}          | -
            "id": {"type": "string", "format": "uuid"}          | "id": {"type": ["string", "null"], "format": "uuid"}            | POST /v1/things 201.id: was [string] and is [null, string]
            "format": "uuid"                                    | "format": "uri"                                                 | POST /v1/things 201.id: was "uuid" and is "uri"
            "required": ["id", "state"]                         | "required": ["id"]                                              | POST /v1/things 201: field state is no longer always there
            ["ON", "OFF"]                                       | ["ON", "OFF", "BROKEN"]                                         | POST /v1/things 201.state: [BROKEN] is new to whoever reads it
            ["ON", "OFF"]                                       | ["ON"]                                                          | -
            "count": {"type": "integer"}                        | "count": {"type": "number"}                                     | POST /v1/things 201.lines[].count: was [integer] and is [number]
            "201":                                              | "200":                                                          | POST /v1/things: no longer answers 201
            "409": {"x-problem-types"                           | "410": {"x-problem-types"                                       | POST /v1/things: no longer answers 409
            ["a", "b"]                                          | ["a"]                                                           | POST /v1/things 409: b is gone
            ["a", "b"]                                          | ["a", "b", "c"]                                                 | -
            {"Location": {}}                                    | {}                                                              | POST /v1/things 201: header Location is gone
            ["write"]                                           | ["admin"]                                                       | POST /v1/things: a token with {"bearer":["write"]} is no longer enough
            "/v1/things/{id}": {"get"                           | "/v1/more": {}, "/v1/things/{id}": {"get"                       | -
            """)
    void whatBreaksAClientIsNamed(String was, String is, @Nullable String breach) {
        assertThat(API).contains(was);

        List<String> found = BreakingChanges.between(read(API), read(API.replace(was, is)));

        if (breach == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).contains(breach);
        }
    }

    private static JsonNode read(String json) {
        return JsonMapper.shared().readTree(json);
    }
}
