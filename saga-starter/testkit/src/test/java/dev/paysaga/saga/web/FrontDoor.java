package dev.paysaga.saga.web;

import dev.paysaga.testkit.TestTokens;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A running service with nothing but the starter's front door and one controller, and a client for it. */
final class FrontDoor implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;
    private final int port;

    FrontDoor(Class<?> application, String... properties) {
        this.context = new SpringApplicationBuilder(application)
                .properties(
                        "server.port=0",
                        // A starved machine must not look like a server that hangs up.
                        "server.tomcat.connection-timeout=5m",
                        "management.server.port=0",
                        "spring.application.name=front-door",
                        "management.endpoints.web.exposure.include=*",
                        "spring.autoconfigure.exclude=" + everythingElse(),
                        "spring.security.oauth2.resourceserver.jwt.public-key-location="
                                + TestTokens.publicKeyLocation(),
                        "logging.level.root=WARN",
                        "spring.main.banner-mode=off")
                .properties(properties)
                .run();
        this.port = ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    int port() {
        return port;
    }

    int managementPort() {
        return context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    HttpRequest.Builder post(String path, String json) {
        return request(path)
                .header("Authorization", "Bearer " + TestTokens.token("acme", "orders:write"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
        client.close();
    }

    /** What the starter has besides its front door. */
    private static String everythingElse() {
        String web = FrontDoor.class.getPackageName() + ".";
        return ImportCandidates.load(AutoConfiguration.class, FrontDoor.class.getClassLoader()).getCandidates().stream()
                .filter(name -> name.startsWith("dev.paysaga.") && !name.startsWith(web))
                .collect(Collectors.joining(","));
    }
}
