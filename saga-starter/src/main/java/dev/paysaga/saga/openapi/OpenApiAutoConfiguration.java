package dev.paysaga.saga.openapi;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The OpenAPI 3.1 document at {@code /v3/api-docs}. It is read without a token ({@code saga.web.open-paths}): it says
 * nothing that the repository does not say.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty(name = "saga.web.api-docs", matchIfMissing = true)
public class OpenApiAutoConfiguration {

    @Bean
    ApiDocumentEndpoint apiDocument(
            @Value("${spring.application.name:service}") String service,
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mappings) {
        return new ApiDocumentEndpoint(service, mappings);
    }
}
