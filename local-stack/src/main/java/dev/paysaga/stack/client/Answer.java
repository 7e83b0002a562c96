package dev.paysaga.stack.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * What a service answered.
 *
 * @param headers by name in lower case
 * @param body the JSON that came; a missing node when there was none
 */
public record Answer(int status, Map<String, List<String>> headers, JsonNode body) {

    /** Status 2xx. */
    public boolean ok() {
        return status / 100 == 2;
    }

    /** The text of a member of the body; empty when it has none. */
    public String text(String member) {
        return body.path(member).asText("");
    }

    /** The number of a member of the body; 0 when it has none. */
    public long number(String member) {
        return body.path(member).asLong();
    }

    /** The last part of the problem's type, such as {@code out-of-stock}; empty when it is no problem. */
    public String problem() {
        return text("type").replaceFirst("^urn:paysaga:problem:", "");
    }

    @Override
    public String toString() {
        return status + " " + body;
    }
}
