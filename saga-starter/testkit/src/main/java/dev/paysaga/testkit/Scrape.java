package dev.paysaga.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A service's metrics as Prometheus sees them. */
public final class Scrape {

    private final List<String> samples;

    private Scrape(List<String> samples) {
        this.samples = samples;
    }

    /** What the management port shows now. */
    public static Scrape of(int managementPort) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + managementPort + "/actuator/prometheus"))
                    .build();
            String text =
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return new Scrape(text.lines().filter(line -> !line.startsWith("#")).toList());
        }
    }

    /** The names of all samples that begin so. */
    public Set<String> names(String prefix) {
        return samples.stream()
                .map(sample -> sample.split("[{ ]", 2)[0])
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toSet());
    }

    /** The values that a tag of a metric has. */
    public Set<String> values(String name, String tag) {
        return samples.stream()
                .filter(sample -> sample.startsWith(name + "{"))
                .flatMap(sample -> List.of(sample.split("[{,}]")).stream())
                .filter(part -> part.startsWith(tag + "=\""))
                .map(part -> part.substring(tag.length() + 2, part.length() - 1))
                .collect(Collectors.toSet());
    }
}
