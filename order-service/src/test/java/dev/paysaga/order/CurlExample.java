package dev.paysaga.order;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * A call in the guide, as somebody would paste it into a shell; sent without one.
 *
 * @param expected status and, if any, kind of problem or {@code Idempotency-Replayed}, from the comment above it
 * @param command from {@code curl} on
 */
record CurlExample(String expected, String command) {

    private static final Pattern BLOCK = Pattern.compile("```sh\n# (.+)\n(curl (?s:.+?))\n```");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    private static final Pattern VARIABLE = Pattern.compile("\\$([A-Z]+)");

    static List<CurlExample> in(String guide) {
        return BLOCK.matcher(guide)
                .results()
                .map(block -> new CurlExample(block.group(1), block.group(2)))
                .toList();
    }

    /** What curl would send. Knows {@code -i}, {@code -X}, {@code -H} and {@code -d}. */
    HttpRequest request(Map<String, String> variables) {
        List<String> words = WORD.matcher(command.replace("\\\n", " "))
                .results()
                .map(word -> word(word, variables))
                .toList();
        var request = HttpRequest.newBuilder();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-i" -> {
                    // shows the headers
                }
                case "-X" -> request.method(words.get(++i), HttpRequest.BodyPublishers.noBody());
                case "-d" -> request.POST(HttpRequest.BodyPublishers.ofString(words.get(++i)));
                case "-H" -> {
                    String[] header = words.get(++i).split(": ", 2);
                    request.header(header[0], header[1]);
                }
                default -> request.uri(URI.create(words.get(i)));
            }
        }
        return request.build();
    }

    /** In the words of {@link #expected}. */
    String outcome(HttpResponse<String> answer) {
        String kind = answer.statusCode() < 400
                ? answer.headers().firstValue("Idempotency-Replayed").isPresent() ? " Idempotency-Replayed" : ""
                : " "
                        + JsonMapper.shared()
                                .readTree(answer.body())
                                .get("type")
                                .asString()
                                .replace("urn:paysaga:problem:", "");
        return answer.statusCode() + kind;
    }

    private static String word(MatchResult word, Map<String, String> variables) {
        if (word.group(1) != null) { // in single quotes: as it stands
            return word.group(1);
        }
        String text = word.group(2) == null ? word.group(3) : word.group(2);
        return VARIABLE.matcher(text).replaceAll(name -> Matcher.quoteReplacement(variables.get(name.group(1))));
    }
}
