package dev.paysaga.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends a service what nobody should send, and holds it to three promises: it never answers with a fault of its own, it
 * answers only what its OpenAPI document says, and what it refuses has written nothing.
 */
public final class HostileClient implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String RESOLUTION = "/v1/work-orders/{id}/resolution";
    private static final String REDRIVE = "/v1/parked-events/{id}/redrive";
    private static final String SKIP = "/v1/parked-events/{id}/skip";

    /** Everything that a request may change: all tables but those of the machinery. */
    private static final String FINGERPRINT = """
            select string_agg(table_name || ' '
                       || (xpath('/row/sum/text()', query_to_xml(format(
                              'select coalesce(md5(string_agg(t::text, '','' order by t::text)), ''-'') as sum from %I t',
                              table_name), false, true, '')))[1]::text, E'\\n' order by table_name)
            from information_schema.tables
            where table_schema = 'public' and table_type = 'BASE TABLE'
              and table_name not in ('idempotency_keys', 'inbox', 'relay_state', 'flyway_schema_history', 'leases')
              and table_name not like 'inbox\\_%' and table_name not like 'outbox\\_%'
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI base;
    private final String served;
    private final JsonNode document;
    private final JdbcClient database;
    private final long seed = Long.getLong("paysaga.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /**
     * @param base address of the service
     * @param database the service's own
     */
    public HostileClient(URI base, DataSource database) throws IOException, InterruptedException {
        this.base = base;
        this.database = JdbcClient.create(database);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(base.resolve("/v3/api-docs")).build(), HttpResponse.BodyHandlers.ofString());
        this.served = answer.body();
        this.document = JSON.readTree(served);
    }

    /**
     * The paths that take a POST, as the document names them; those of the starter itself, for operators, left out: see
     * {@link #sendsDecisions} and {@link #sendsReleases}.
     */
    public Set<String> posts() {
        Set<String> posts = document.path("paths").properties().stream()
                .filter(path -> path.getValue().has("post"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(posts).contains(RESOLUTION, REDRIVE, SKIP);
        posts.removeAll(Set.of(RESOLUTION, REDRIVE, SKIP));
        return posts;
    }

    /** What the service answers at {@code /v3/api-docs}. */
    public String document() {
        return served;
    }

    /**
     * Sends a call that is right in its fields but for one each time: what the document requires is required, what it
     * leaves open may be left out, and what it does not know is refused.
     *
     * @param template the path as the document names it
     * @param path the path to use, new for each request if the call can be made only once
     * @param body a right body, new for each request
     */
    public void checksItsFields(String template, Supplier<String> path, String token, Supplier<String> body)
            throws IOException, InterruptedException {
        JsonNode operation = operation(template);
        JsonNode schema = document.at(operation
                .at("/requestBody/content/application~1json/schema/$ref")
                .asString()
                .substring(1));
        for (String field : schema.path("properties").propertyNames()) {
            ObjectNode without = (ObjectNode) JSON.readTree(body.get());
            without.remove(field);
            boolean required = schema.path("required").values().stream()
                    .anyMatch(name -> name.asString().equals(field));
            HttpResponse<String> answer =
                    answer(operation, post(path.get(), token, without.toString()), without.toString());
            assertThat(answer.statusCode() == 400)
                    .as("without " + field + ": " + answer.body())
                    .isEqualTo(required);
        }
        ObjectNode more = (ObjectNode) JSON.readTree(body.get());
        more.put("color", "red");
        assertThat(answer(operation, post(path.get(), token, more.toString()), more.toString())
                        .statusCode())
                .isEqualTo(400);
    }

    /**
     * Sends mutated requests.
     *
     * @param template the path as the document names it
     * @param times how many
     * @return how many of them were right after all
     */
    public int sends(String template, Supplier<String> path, String token, Supplier<String> body, int times)
            throws IOException, InterruptedException {
        JsonNode operation = operation(template);
        int accepted = 0;
        String before = fingerprint();
        for (int i = 0; i < times; i++) {
            String sent = Mutations.of(body.get(), random);
            HttpRequest.Builder request;
            try {
                request = mutatedHeaders(post(path.get(), token, sent));
            } catch (IllegalArgumentException notSendable) {
                continue;
            }
            HttpResponse<String> answer = answer(operation, request, sent);
            if (answer.statusCode() < 300) {
                accepted++;
                before = fingerprint();
            } else {
                assertThat(fingerprint()).as(evidence(sent, answer)).isEqualTo(before);
            }
        }
        return accepted;
    }

    /**
     * Sends mutated decisions about open work orders that nobody else knows, each of an aggregate of its own.
     *
     * @param kind of the work orders
     * @param merchant whose they are
     * @param token an operator's
     * @param decision a right body
     * @param times how many
     * @return how many of them were right after all
     */
    public int sendsDecisions(String kind, String merchant, String token, String decision, int times)
            throws IOException, InterruptedException {
        Iterator<UUID> asked = database.sql("""
                        insert into work_orders (id, kind, aggregate_id, merchant_id, detail)
                        select gen_random_uuid(), ?, gen_random_uuid(), ?, 'made up' from generate_series(1, ?)
                        returning id
                        """).params(kind, merchant, times).query(UUID.class).stream()
                .map(Objects::requireNonNull)
                .toList()
                .iterator();
        return sends(RESOLUTION, () -> about(RESOLUTION, asked.next()), token, () -> decision, times);
    }

    /**
     * Sends mutated wishes to skip parked events that nobody else knows, and to redrive those that are done with or never
     * were: what redriving in vain writes down is no business of a client's.
     *
     * @param consumer the service's name
     * @param token an operator's
     * @param times how many of each
     * @return how many of them were right after all
     */
    public int sendsReleases(String consumer, String token, int times) throws IOException, InterruptedException {
        List<UUID> parked = database.sql("""
                        insert into parked_events
                               (id, consumer, topic, partition, "offset", key, event_id, payload, reason, status)
                        select gen_random_uuid(), ?, 'nowhere', 0, n, n::text, gen_random_uuid(), '', 'made up', 'PARKED'
                          from generate_series(1, ?) n
                        returning id
                        """).params(consumer, times).query(UUID.class).stream()
                .map(Objects::requireNonNull)
                .toList();
        Iterator<UUID> waiting = parked.iterator();
        int skipped = sends(SKIP, () -> about(SKIP, waiting.next()), token, () -> "{}", times);
        database.sql("delete from parked_events where topic = 'nowhere' and closed_at is null")
                .update();
        return skipped
                + sends(
                        REDRIVE,
                        () -> about(REDRIVE, parked.get(random.nextInt(parked.size()))),
                        token,
                        () -> "{}",
                        times);
    }

    private static String about(String template, UUID id) {
        return template.replace("{id}", id.toString());
    }

    private HttpRequest.Builder mutatedHeaders(HttpRequest.Builder request) {
        switch (random.nextInt(16)) {
            case 0 -> request.setHeader("Idempotency-Key", Mutations.of("\"key\"", random));
            case 1 -> request.setHeader("Idempotency-Key", "k".repeat(200 + random.nextInt(100)));
            case 2 ->
                request.setHeader(
                        "Content-Type",
                        Mutations.oneOf(
                                random,
                                "text/plain",
                                "application/json;charset=utf-16",
                                "a/b",
                                "application/x-www-form-urlencoded",
                                "multipart/form-data"));
            case 3 ->
                request.setHeader(
                        "Accept", Mutations.oneOf(random, "text/html", "*/*", "application/xml;q=0.1", "nonsense"));
            case 4 -> request.setHeader("Authorization", Mutations.of("Bearer x.y.z", random));
            case 5 -> request.setHeader("Prefer", Mutations.of("respond-async, wait=0", random));
            default -> {
                // only the body
            }
        }
        return request;
    }

    private HttpRequest.Builder post(String path, String token, String body) {
        return HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> answer(JsonNode operation, HttpRequest.Builder request, String sent)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        String evidence = evidence(sent, answer);
        assertThat(answer.statusCode()).as(evidence).isLessThan(500);
        JsonNode documented = operation.path("responses").path(Integer.toString(answer.statusCode()));
        assertThat(documented.isMissingNode())
                .as("not in the document: " + evidence)
                .isFalse();
        if (answer.statusCode() >= 400) {
            String type = JSON.readTree(answer.body()).path("type").asString();
            List<String> types = documented.path("x-problem-types").values().stream()
                    .map(JsonNode::asString)
                    .toList();
            assertThat(types).as(evidence).contains(type);
        }
        return answer;
    }

    private String evidence(String sent, HttpResponse<String> answer) {
        return "seed " + seed + ", " + answer.request().uri() + " "
                + answer.request().headers().map() + " " + sent + " was answered " + answer.statusCode() + " "
                + answer.body();
    }

    private JsonNode operation(String template) {
        JsonNode operation = document.path("paths").path(template).path("post");
        assertThat(operation.isMissingNode()).as("POST " + template).isFalse();
        return operation;
    }

    private String fingerprint() {
        return database.sql(FINGERPRINT).query(String.class).single();
    }

    @Override
    public void close() {
        http.close();
    }
}
