package dev.paysaga.saga.openapi;

import static dev.paysaga.saga.openapi.Schemas.ordered;

import dev.paysaga.saga.web.Caller;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;

/**
 * One call, as OpenAPI describes it.
 *
 * @param path such as {@code /v1/things/{thingId}}
 * @param method of HTTP
 * @param handler who answers
 */
record Operation(String path, HttpMethod method, HandlerMethod handler) {

    private static final Pattern SCOPE = Pattern.compile("'SCOPE_([^']+)'");

    /** Every call may meet these. */
    private static final List<String> ANY_CALL = List.of(
            "400 bad-request",
            "401 unauthorized",
            "403 forbidden",
            "406 not-acceptable",
            "429 rate-limited",
            "500 internal-error",
            "503 unavailable");

    private static final List<String> ANY_POST = List.of(
            "400 idempotency-key-missing",
            "400 idempotency-key-malformed",
            "409 request-in-progress",
            "413 payload-too-large",
            "415 unsupported-media-type",
            "422 idempotency-key-reused");

    /** The status says: come back, the same request may succeed. */
    private static final Set<Integer> COME_BACK = Set.of(429, 503);

    Map<String, Object> describe(Schemas schemas) {
        Map<String, Object> description = ordered("operationId", id(), "tags", List.of(tag()));
        Call call = handler.getMethodAnnotation(Call.class);
        if (call != null) {
            description.put("summary", call.value());
        }
        List<Object> parameters = parameters(schemas);
        if (!parameters.isEmpty()) {
            description.put("parameters", parameters);
        }
        body().ifPresent(body -> description.put("requestBody", requestBody(body, schemas)));
        description.put("responses", responses(schemas));
        description.put("security", security());
        return description;
    }

    private String tag() {
        return handler.getBeanType()
                .getSimpleName()
                .replaceFirst("(Api|Controller)$", "")
                .toLowerCase(Locale.ROOT);
    }

    private String id() {
        return tag() + "." + handler.getMethod().getName();
    }

    private boolean isPost() {
        return method.equals(HttpMethod.POST);
    }

    private java.util.Optional<MethodParameter> body() {
        return Arrays.stream(handler.getMethodParameters())
                .filter(parameter -> parameter.hasParameterAnnotation(RequestBody.class))
                .findFirst();
    }

    private Map<String, Object> requestBody(MethodParameter body, Schemas schemas) {
        Call call = handler.getMethodAnnotation(Call.class);
        RequestBody annotation = body.getParameterAnnotation(RequestBody.class);
        Map<String, Object> schema =
                schemas.request(body.getParameterType(), call == null ? Set.of() : Set.of(call.optional()));
        return ordered(
                "required",
                annotation == null || annotation.required(),
                "content",
                ordered(MediaType.APPLICATION_JSON_VALUE, ordered("schema", schema)));
    }

    private List<Object> parameters(Schemas schemas) {
        List<Object> parameters = new ArrayList<>();
        for (MethodParameter parameter : handler.getMethodParameters()) {
            PathVariable inPath = parameter.getParameterAnnotation(PathVariable.class);
            RequestParam inQuery = parameter.getParameterAnnotation(RequestParam.class);
            if (inPath != null) {
                parameters.add(parameter(name(parameter, inPath.value()), "path", true, parameter, schemas));
            } else if (inQuery != null && parameter.getParameterType() != Caller.class) {
                boolean mayBeMissing = !inQuery.required()
                        || !inQuery.defaultValue().equals(ValueConstants.DEFAULT_NONE)
                        || parameter.isOptional();
                parameters.add(parameter(name(parameter, inQuery.value()), "query", !mayBeMissing, parameter, schemas));
            }
        }
        if (isPost()) {
            parameters.add(ordered(
                    "name",
                    "Idempotency-Key",
                    "in",
                    "header",
                    "required",
                    true,
                    "description",
                    "One value for one intention, best a new UUID. Send the same with every repetition.",
                    "schema",
                    ordered("type", "string", "minLength", 1, "maxLength", 255)));
        }
        Call call = handler.getMethodAnnotation(Call.class);
        for (String header : call == null ? new String[0] : call.headers()) {
            String[] nameAndPurpose = header.split(": ", 2);
            parameters.add(ordered(
                    "name",
                    nameAndPurpose[0],
                    "in",
                    "header",
                    "required",
                    false,
                    "description",
                    nameAndPurpose[1],
                    "schema",
                    ordered("type", "string")));
        }
        return parameters;
    }

    private static Map<String, Object> parameter(
            String name, String in, boolean required, MethodParameter parameter, Schemas schemas) {
        return ordered(
                "name",
                name,
                "in",
                in,
                "required",
                required,
                "schema",
                schemas.parameter(parameter.getGenericParameterType()));
    }

    /** The name in the annotation or, without one, the parameter's own. */
    private String name(MethodParameter parameter, String given) {
        return given.isEmpty()
                ? handler.getMethod()
                        .getParameters()[parameter.getParameterIndex()]
                        .getName()
                : given;
    }

    private Map<String, Object> responses(Schemas schemas) {
        Map<String, Object> responses = new TreeMap<>();
        for (int status : successes()) {
            responses.put(Integer.toString(status), success(status, schemas));
        }
        Map<Integer, Set<String>> slugs = new TreeMap<>();
        for (String refusal : refusals()) {
            slugs.computeIfAbsent(Integer.valueOf(refusal.substring(0, 3)), any -> new TreeSet<>())
                    .add(refusal.substring(4));
        }
        slugs.forEach((status, all) -> responses.put(status.toString(), problem(status, all)));
        return responses;
    }

    private int[] successes() {
        Call call = handler.getMethodAnnotation(Call.class);
        if (call != null && call.answers().length > 0) {
            return call.answers();
        }
        ResponseStatus declared = handler.getMethodAnnotation(ResponseStatus.class);
        return new int[] {declared == null ? 200 : declared.code().value()};
    }

    private Map<String, Object> success(int status, Schemas schemas) {
        Map<String, Object> response = ordered("description", reason(status));
        Map<String, Object> headers = new LinkedHashMap<>();
        boolean places = status == 201 || status == 202;
        if (places && handler.getMethod().getReturnType() == ResponseEntity.class) {
            headers.put("Location", header("string", "Where it can be read."));
        }
        if (isPost()) {
            headers.put("Idempotency-Replayed", header("boolean", "true if this answer was given before."));
        }
        if (!headers.isEmpty()) {
            response.put("headers", headers);
        }
        Type type = content();
        if (type != null) {
            response.put("content", ordered(MediaType.APPLICATION_JSON_VALUE, ordered("schema", schemas.answer(type))));
        }
        return response;
    }

    private @Nullable Type content() {
        if (Arrays.asList(handler.getMethod().getParameterTypes()).contains(HttpServletResponse.class)) {
            return Object.class; // writes its JSON by itself
        }
        Type type = handler.getMethod().getGenericReturnType();
        if (type instanceof ParameterizedType wrapped && wrapped.getRawType() == ResponseEntity.class) {
            type = wrapped.getActualTypeArguments()[0];
        }
        return type == void.class || type == Void.class || type instanceof java.lang.reflect.WildcardType ? null : type;
    }

    private Set<String> refusals() {
        Set<String> refusals = new LinkedHashSet<>(ANY_CALL);
        if (isPost()) {
            refusals.addAll(ANY_POST);
        }
        MethodParameter[] parameters = handler.getMethodParameters();
        if (Arrays.stream(parameters).anyMatch(parameter -> parameter.getParameterType() != Caller.class)) {
            refusals.add("400 invalid-request");
        }
        if (Arrays.stream(parameters).anyMatch(parameter -> parameter.getParameterType() == Caller.class)) {
            refusals.add("403 merchant-required");
        }
        if (path.contains("{")) {
            refusals.add("404 not-found");
        }
        Call call = handler.getMethodAnnotation(Call.class);
        if (call != null) {
            refusals.addAll(List.of(call.refuses()));
        }
        return refusals;
    }

    private static Map<String, Object> problem(int status, Set<String> slugs) {
        Map<String, Object> response = ordered("description", reason(status) + ": " + String.join(", ", slugs));
        if (COME_BACK.contains(status) || slugs.contains("request-in-progress")) {
            response.put(
                    "headers", ordered("Retry-After", header("integer", "Seconds to wait before the same again.")));
        }
        response.put(
                "content",
                ordered(
                        MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        ordered("schema", ordered("$ref", "#/components/schemas/Problem"))));
        response.put(
                "x-problem-types",
                slugs.stream().map(slug -> "urn:paysaga:problem:" + slug).toList());
        return response;
    }

    private static Map<String, Object> header(String type, String description) {
        return ordered("description", description, "schema", ordered("type", type));
    }

    private static String reason(int status) {
        HttpStatus known = HttpStatus.resolve(status);
        return known == null ? Integer.toString(status) : known.getReasonPhrase();
    }

    /** Alternatives; each asks for one scope. A rule that is more than that is quoted by {@code x-rule}. */
    private List<Object> security() {
        PreAuthorize rule = handler.getMethodAnnotation(PreAuthorize.class);
        List<Object> alternatives = new ArrayList<>();
        if (rule != null) {
            SCOPE.matcher(rule.value())
                    .results()
                    .map(MatchResult::group)
                    .forEach(quoted -> alternatives.add(
                            ordered("bearer", List.of(quoted.substring("'SCOPE_".length(), quoted.length() - 1)))));
        }
        return alternatives.isEmpty() ? List.of(ordered("bearer", List.of())) : alternatives;
    }
}
