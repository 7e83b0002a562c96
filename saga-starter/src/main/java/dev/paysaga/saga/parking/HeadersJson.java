package dev.paysaga.saga.parking;

import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A record's headers as a JSON object of strings. */
final class HeadersJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private HeadersJson() {}

    static String write(Map<String, String> headers) {
        return JSON.writeValueAsString(headers);
    }

    static Map<String, String> read(String json) {
        return JSON.readValue(json, new TypeReference<>() {});
    }
}
