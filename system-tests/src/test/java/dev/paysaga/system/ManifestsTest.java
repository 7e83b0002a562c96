package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.JSON;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What the Kubernetes overlays come to is what Kubernetes understands, and keeps its promises. */
final class ManifestsTest {

    private static final Path K8S = CommandLine.HOME.resolve("k8s");
    private static final Set<String> SERVICES =
            Set.of("order-service", "inventory-service", "account-service", "notification-service");

    @ParameterizedTest
    @ValueSource(strings = {"local", "production"})
    void every_object_is_what_its_kind_allows(String overlay) throws IOException {
        for (JsonElement object : rendered(overlay)) {
            validate(object);
        }
    }

    @Test
    void the_check_refuses_what_no_cluster_would_take() {
        Gson gson = new Gson();
        assertThatThrownBy(() -> validate(gson.fromJson("""
                {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"port": 1}}""", JsonElement.class)))
                .hasMessageContaining("port");
        assertThatThrownBy(() -> validate(gson.fromJson("""
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"}, "spec": {}}""", JsonElement.class)))
                .hasMessageContaining("template");
        assertThatThrownBy(() -> validate(gson.fromJson("""
                {"apiVersion": "apps/v1", "kind": "Deploiment", "metadata": {"name": "x"}}""", JsonElement.class)))
                .hasMessageContaining("Deploiment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "production"})
    void what_is_committed_is_what_the_sources_come_to(String overlay) throws Exception {
        assumeTrue(
                isInstalled("kubectl"), "kubectl is not installed: nobody compares k8s/rendered with its sources here");
        Process kustomize = new ProcessBuilder(
                        "kubectl",
                        "kustomize",
                        K8S.resolve("overlays/" + overlay).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String now = new String(kustomize.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kustomize.waitFor()).isZero();

        assertThat(byName(objects(now))).isEqualTo(byName(rendered(overlay)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "production"})
    void containers_may_do_as_little_as_possible(String overlay) throws IOException {
        for (JsonElement object : workloads(overlay)) {
            JsonElement pod = at(object, "spec", "template", "spec");
            assertThat(at(pod, "securityContext", "runAsNonRoot").getAsBoolean())
                    .as(name(object))
                    .isTrue();
            assertThat(at(pod, "automountServiceAccountToken").getAsBoolean())
                    .as(name(object))
                    .isFalse();
            for (JsonElement container : at(pod, "containers").getAsJsonArray()) {
                assertThat(at(container, "securityContext", "readOnlyRootFilesystem")
                                .getAsBoolean())
                        .as(name(object))
                        .isTrue();
                assertThat(at(container, "securityContext", "capabilities", "drop")
                                .toString())
                        .as(name(object))
                        .contains("ALL");
                assertThat(at(container, "resources", "limits", "memory").getAsString())
                        .as(name(object))
                        .isNotEmpty();
                refuseAmbiguousVariables(name(object), container);
            }
        }
    }

    /** kustomize merges without asking, and the models know no "either, or". */
    private static void refuseAmbiguousVariables(String where, JsonElement container) {
        Set<String> seen = new HashSet<>();
        JsonElement variables = container.getAsJsonObject().get("env");
        for (JsonElement variable : variables == null ? new JsonArray() : variables.getAsJsonArray()) {
            assertThat(variable.getAsJsonObject().has("value")
                            && variable.getAsJsonObject().has("valueFrom"))
                    .as(where + ": " + variable)
                    .isFalse();
            assertThat(seen.add(variable.getAsJsonObject().get("name").getAsString()))
                    .as(where + " sets a variable twice: " + variable)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "production"})
    void start_up_liveness_and_readiness_are_told_apart(String overlay) throws IOException {
        Set<String> seen = new HashSet<>();
        for (JsonElement object : workloads(overlay)) {
            if (SERVICES.contains(name(object))) {
                seen.add(name(object));
                JsonElement container = at(object, "spec", "template", "spec", "containers")
                        .getAsJsonArray()
                        .get(0);
                assertThat(at(container, "livenessProbe", "httpGet", "path").getAsString())
                        .isEqualTo("/actuator/health/liveness");
                assertThat(at(container, "readinessProbe", "httpGet", "path").getAsString())
                        .isEqualTo("/actuator/health/readiness");
                int startUp = at(container, "startupProbe", "periodSeconds").getAsInt()
                        * at(container, "startupProbe", "failureThreshold").getAsInt();
                assertThat(startUp).as("seconds a service may take to start").isGreaterThanOrEqualTo(120);
                int preStop = at(container, "lifecycle", "preStop", "sleep", "seconds")
                        .getAsInt();
                int grace = at(object, "spec", "template", "spec", "terminationGracePeriodSeconds")
                        .getAsInt();
                assertThat(grace)
                        .as("seconds for draining, after those for not being asked any more")
                        .isGreaterThanOrEqualTo(preStop + 20);
                assertThat(at(object, "spec", "strategy", "rollingUpdate", "maxUnavailable")
                                .getAsInt())
                        .isZero();
            }
        }
        assertThat(seen).isEqualTo(SERVICES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "production"})
    void no_service_may_talk_to_another_and_only_the_console_asks_them_all(String overlay) throws IOException {
        Set<String> names = Set.of("order", "inventory", "account", "notification");
        boolean closed = false;
        for (JsonElement object : rendered(overlay)) {
            if (!kind(object).equals("NetworkPolicy")) {
                continue;
            }
            JsonElement spec = at(object, "spec");
            if (spec.getAsJsonObject().get("podSelector").toString().equals("{}")
                    && !spec.getAsJsonObject().has("egress")
                    && !spec.getAsJsonObject().has("ingress")) {
                closed = true;
            }
            if (spec.getAsJsonObject().has("egress") && !name(object).equals("console-asks")) {
                String targets = spec.getAsJsonObject().get("egress").toString();
                names.forEach(name -> assertThat(targets).as(name(object)).doesNotContain("\"" + name + "\""));
                assertThat(targets).as(name(object)).doesNotContain("part-of");
            }
        }
        assertThat(closed).as("a policy that forbids everything first").isTrue();
    }

    @Test
    void no_secret_is_committed() throws IOException {
        for (String overlay : List.of("local", "production")) {
            assertThat(rendered(overlay)).noneMatch(object -> kind(object).equals("Secret"));
        }
    }

    @Test
    void both_places_make_the_same_database_roles() throws IOException {
        assertThat(K8S.resolve("overlays/local/roles.sh"))
                .hasSameTextualContentAs(CommandLine.HOME.resolve("local-stack/containers/roles.sh"));
    }

    // ---- reading ----

    private static void validate(JsonElement object) {
        String[] api = at(object, "apiVersion").getAsString().split("/");
        String version = api[api.length - 1];
        String model = "io.kubernetes.client.openapi.models."
                + version.substring(0, 1).toUpperCase(Locale.ROOT) + version.substring(1) + kind(object);
        try {
            Class<?> type = Class.forName(model);
            type.getMethod("validateJsonElement", JsonElement.class).invoke(null, object);
            JSON.getGson().fromJson(object, type);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("There is no " + version + " " + kind(object), e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    kind(object) + " " + name(object) + ": " + e.getCause().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(model + " has changed its shape", e);
        }
    }

    private static List<JsonElement> workloads(String overlay) throws IOException {
        return rendered(overlay).stream()
                .filter(object -> Set.of("Deployment", "StatefulSet").contains(kind(object)))
                .toList();
    }

    private static List<JsonElement> rendered(String overlay) throws IOException {
        List<JsonElement> objects = objects(Files.readString(K8S.resolve("rendered/" + overlay + ".yaml")));
        assertThat(objects).as(overlay).hasSizeGreaterThan(20);
        return objects;
    }

    private static List<JsonElement> objects(String yaml) {
        var gson = new Gson();
        Stream<Object> documents = StreamSupport.stream(
                new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml).spliterator(), false);
        return new ArrayList<>(documents.map(gson::toJsonTree).toList());
    }

    private static Map<String, JsonElement> byName(List<JsonElement> objects) {
        return objects.stream()
                .collect(Collectors.toMap(
                        object -> kind(object) + "/" + name(object), object -> object, (a, b) -> a, TreeMap::new));
    }

    private static String kind(JsonElement object) {
        return at(object, "kind").getAsString();
    }

    private static String name(JsonElement object) {
        return at(object, "metadata", "name").getAsString();
    }

    private static JsonElement at(JsonElement element, String... path) {
        JsonElement here = element;
        for (String step : path) {
            JsonElement next = here.getAsJsonObject().get(step);
            assertThat(next).as("%s of %s", String.join(".", path), element).isNotNull();
            here = next;
        }
        return here;
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
