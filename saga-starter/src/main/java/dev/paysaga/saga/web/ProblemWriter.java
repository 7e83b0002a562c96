package dev.paysaga.saga.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a {@link Problem} as the answer. The one place where problems become bytes, so that a refusal looks the same
 * whether a filter, the framework or a controller decided it, and whatever the caller's {@code Accept} says
 * (RFC 9110, 12.5.1 lets an error be sent in a form that was not asked for).
 */
public final class ProblemWriter {

    private final JsonMapper json;

    public ProblemWriter(JsonMapper json) {
        this.json = json;
    }

    /** Answers with the problem, unless an answer is already on its way. */
    public void write(Problem problem, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        response.setStatus(problem.status().value());
        problem.getHeaders().forEach((name, values) -> values.forEach(value -> response.setHeader(name, value)));
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        byte[] bytes = json.writeValueAsBytes(members(problem.getBody()));
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static Map<String, Object> members(ProblemDetail body) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", body.getType());
        members.put("title", body.getTitle());
        members.put("status", body.getStatus());
        members.put("detail", body.getDetail());
        if (body.getInstance() != null) {
            members.put("instance", body.getInstance());
        }
        if (body.getProperties() != null) {
            members.putAll(body.getProperties());
        }
        return members;
    }
}
