package dev.paysaga.saga.openapi;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Hands out the document; made when somebody asks for the first time, so that no start waits for it. */
@RestController
final class ApiDocumentEndpoint {

    private final String service;
    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private volatile byte @Nullable [] document;

    ApiDocumentEndpoint(String service, ObjectProvider<RequestMappingHandlerMapping> mappings) {
        this.service = service;
        this.mappings = mappings;
    }

    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] document() {
        byte[] known = document;
        if (known == null) {
            // Two at once make it twice, and equal.
            known = JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build()
                    .writeValueAsBytes(
                            ApiDocument.of(service, mappings.getObject().getHandlerMethods()));
            document = known;
        }
        return known;
    }
}
