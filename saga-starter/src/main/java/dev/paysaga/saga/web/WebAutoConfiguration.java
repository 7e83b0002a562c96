package dev.paysaga.saga.web;

import java.util.List;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/** HTTP manners of every service: strict JSON, problems, body limit, the caller as an argument. */
@AutoConfiguration(before = ErrorMvcAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(WebProperties.class)
public class WebAutoConfiguration {

    /** After Spring Security's filters (order -100), so that strangers are refused before anything is read. */
    private static final int PROBLEM_ORDER = -60;

    private static final int RATE_LIMIT_ORDER = PROBLEM_ORDER + 10;

    /** Filters that read bodies come after this one. */
    public static final int BODY_LIMIT_ORDER = PROBLEM_ORDER + 20;

    @Bean
    StrictJson strictJson() {
        return new StrictJson();
    }

    @Bean
    @ConditionalOnMissingBean
    ProblemWriter problemWriter(JsonMapper json) {
        return new ProblemWriter(json);
    }

    @Bean
    @ConditionalOnMissingBean
    ErrorController problemErrorController(ProblemWriter problems) {
        return new ProblemErrorController(problems);
    }

    @Bean
    FilterRegistrationBean<ProblemFilter> problemFilter(ProblemWriter problems) {
        var registration = new FilterRegistrationBean<>(new ProblemFilter(problems));
        registration.setOrder(PROBLEM_ORDER);
        return registration;
    }

    @Bean
    FilterRegistrationBean<BodyLimitFilter> bodyLimitFilter(WebProperties properties, ProblemWriter problems) {
        var registration = new FilterRegistrationBean<>(new BodyLimitFilter(properties.maxBody(), problems));
        registration.setOrder(BODY_LIMIT_ORDER);
        return registration;
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> rateLimitFilter(WebProperties properties) {
        boolean limited = properties.requestsPerSecond() > 0;
        var limit = new RateLimit(limited ? properties.requestsPerSecond() : 1, properties.burst(), System::nanoTime);
        var registration = new FilterRegistrationBean<>(new RateLimitFilter(limit));
        registration.setEnabled(limited);
        registration.setOrder(RATE_LIMIT_ORDER);
        return registration;
    }

    @Bean
    static WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> tomcatProblems() {
        return tomcat -> tomcat.addContextCustomizers(context ->
                ((StandardHost) context.getParent()).setErrorReportValveClass(ProblemErrorReportValve.class.getName()));
    }

    @Bean
    WebMvcConfigurer httpManners(ProblemWriter problems) {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new CallerArgumentResolver());
            }

            /** A service's own exception handlers come first; whatever they leave is a problem. */
            @Override
            public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                resolvers.add(Math.min(1, resolvers.size()), new ProblemResolver(problems));
            }
        };
    }
}
