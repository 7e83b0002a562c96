package dev.paysaga.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** As much of Confluent's API as the codec calls, over real HTTP, with faults on request. */
final class RegistryStub implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<Integer, Map<String, String>> schemas = new TreeMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile @Nullable Fault fault;

    record Fault(int status, String body) {}

    RegistryStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    /** Method and path of every call, in order. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    synchronized int holds(String schema) {
        return holds(Map.of("schema", schema));
    }

    synchronized int holds(Map<String, String> schema) {
        for (var known : schemas.entrySet()) {
            if (known.getValue().equals(schema)) {
                return known.getKey();
            }
        }
        int id = 0x01_02_03 + schemas.size();
        schemas.put(id, schema);
        return id;
    }

    synchronized String schema(int id) {
        return schemas.get(id).get("schema");
    }

    void failsWith(int status, String body) {
        fault = new Fault(status, body);
    }

    void recovers() {
        fault = null;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String call =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        calls.add(call);
        byte[] request = exchange.getRequestBody().readAllBytes();
        Fault fault = this.fault;
        if (fault != null) {
            answer(exchange, fault.status(), fault.body());
        } else if (call.matches("POST /subjects/.+/versions")) {
            int id = holds(JSON.readTree(request).get("schema").asText());
            answer(exchange, 200, "{\"id\":" + id + "}");
        } else {
            answerAbout(exchange, Integer.parseInt(call.substring(call.lastIndexOf('/') + 1)));
        }
    }

    private synchronized void answerAbout(HttpExchange exchange, int id) throws IOException {
        var schema = schemas.get(id);
        if (schema == null) {
            answer(exchange, 404, "{\"error_code\":40403,\"message\":\"Schema " + id + " not found\"}");
        } else {
            answer(exchange, 200, JSON.writeValueAsString(schema));
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
