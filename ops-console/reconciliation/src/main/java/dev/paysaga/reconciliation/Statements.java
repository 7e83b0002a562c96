package dev.paysaga.reconciliation;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** What the services state about themselves: {@code GET /v1/statement} of each, read row by row. */
public final class Statements {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Until the first byte; a statement that is being read may take as long as it is. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private static final int TRIES = 5;
    private static final long BETWEEN_TRIES = TimeUnit.SECONDS.toNanos(2);
    private static final int OK = 200;
    private static final int BUSY = 503;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, URI> services;
    private final Supplier<String> token;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    /**
     * @param services base address by name (order, inventory, account, notification), ending with a slash
     * @param token a bearer token of scope {@code ops}, asked for before each request
     */
    public Statements(Map<String, URI> services, Supplier<String> token) {
        this.services = Map.copyOf(services);
        this.token = token;
    }

    /**
     * Reads a statement.
     *
     * @param row takes the name of a section and one row of it
     * @throws StatementUnavailable if it cannot be had, or breaks off
     */
    void read(String service, Window window, List<String> sections, BiConsumer<String, JsonNode> row) {
        URI uri = address(service, window, sections);
        try (InputStream body = open(service, uri);
                JsonParser parser = JSON.createParser(body)) {
            if (!parse(parser, row)) {
                throw new StatementUnavailable("the statement of " + service + " broke off");
            }
        } catch (IOException e) {
            throw new StatementUnavailable("the statement of " + service + " cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatementUnavailable("interrupted", e);
        }
    }

    private URI address(String service, Window window, List<String> sections) {
        URI base = services.get(service);
        if (base == null) {
            throw new IllegalArgumentException("nobody said where " + service + " is");
        }
        var query = new StringBuilder("?sections=").append(String.join(",", sections));
        if (window.from() != null) {
            query.append("&from=").append(URLEncoder.encode(window.from().toString(), StandardCharsets.UTF_8));
        }
        if (window.to() != null) {
            query.append("&to=").append(URLEncoder.encode(window.to().toString(), StandardCharsets.UTF_8));
        }
        return base.resolve("v1/statement" + query);
    }

    private InputStream open(String service, URI uri) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .timeout(ANSWER)
                    .header("Authorization", "Bearer " + token.get())
                    .build();
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() == OK) {
                return response.body();
            }
            String problem;
            try (InputStream body = response.body()) {
                problem = new String(body.readNBytes(1000), StandardCharsets.UTF_8);
            }
            if (response.statusCode() != BUSY || attempt == TRIES) {
                throw new StatementUnavailable(
                        service + " does not state anything: " + response.statusCode() + " " + problem);
            }
            LockSupport.parkNanos(BETWEEN_TRIES);
        }
    }

    /** @return whether it is complete, which its last member says */
    private static boolean parse(JsonParser parser, BiConsumer<String, JsonNode> row) throws IOException {
        boolean complete = false;
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    row.accept(name, JSON.readTree(parser));
                }
            } else if (value == JsonToken.START_OBJECT) {
                parser.skipChildren();
            } else if (name.equals("complete")) {
                complete = value == JsonToken.VALUE_TRUE;
            }
        }
        return complete;
    }
}
