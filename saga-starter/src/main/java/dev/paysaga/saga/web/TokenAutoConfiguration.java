package dev.paysaga.saga.web;

import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * Who may call: bearers of a JWT signed by the issuer that {@code spring.security.oauth2.resourceserver.jwt.*} names
 * (a public key, a JWK set or an issuer). Its scopes become authorities, asked for by
 * {@code @PreAuthorize("hasAuthority('SCOPE_orders:write')")} on controller methods. Nothing is remembered between
 * requests.
 *
 * <p>The management endpoints answer on the management port only, where they need no token: that port belongs to the
 * cluster and not to the world.
 */
@AutoConfiguration(
        before = {
            OAuth2ResourceServerAutoConfiguration.class,
            ServletWebSecurityAutoConfiguration.class,
            ManagementWebSecurityAutoConfiguration.class
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableMethodSecurity
public class TokenAutoConfiguration {

    /**
     * A merchant's id is part of business keys such as {@code merchant/account} and of system names that begin with
     * {@code ~}; so it holds neither.
     */
    private static final Pattern MERCHANT_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** How much the issuer's clock may differ; what Spring Security grants {@code exp} and {@code nbf} as well. */
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

    @Bean
    @ConditionalOnMissingBean
    SecurityFilterChain tokenSecurity(
            HttpSecurity http,
            WebProperties properties,
            ProblemWriter problems,
            ObjectProvider<JwtDecoder> decoder,
            Environment environment) {
        if (decoder.getIfAvailable() == null) {
            throw new IllegalStateException(
                    "Nothing to check bearer tokens with: set spring.security.oauth2.resourceserver"
                            + ".jwt.public-key-location, .jwk-set-uri or .issuer-uri.");
        }
        var refusals = new TokenRefusals(problems);
        boolean endpointsApart = ManagementPortType.get(environment) == ManagementPortType.DIFFERENT;
        return http.authorizeHttpRequests(requests -> {
                    // Forwarded by the container itself, after the request proper was let in or refused.
                    requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                            .permitAll();
                    if (endpointsApart) {
                        requests.requestMatchers(EndpointRequest.toAnyEndpoint())
                                .permitAll();
                    } else {
                        requests.requestMatchers(EndpointRequest.toAnyEndpoint())
                                .denyAll();
                    }
                    properties
                            .openPaths()
                            .forEach(path -> requests.requestMatchers(path).permitAll());
                    requests.anyRequest().authenticated();
                })
                .oauth2ResourceServer(tokens ->
                        tokens.jwt(jwt -> {}).authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
                .exceptionHandling(
                        refused -> refused.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // No cookies, hence no forged requests that would carry them.
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .headers(headers -> headers.contentSecurityPolicy(
                                policy -> policy.policyDirectives("default-src 'none'; frame-ancestors 'none'"))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.NO_REFERRER)))
                .build();
    }

    /**
     * No token without a subject, none whose merchant could be mistaken for another's or for the system, and none that is
     * good for ever: one that leaked could never be outlived.
     */
    @Bean
    OAuth2TokenValidator<Jwt> callerClaims(WebProperties properties) {
        return token -> {
            String subject = token.getSubject();
            if (subject == null || subject.isBlank()) {
                return refused("sub is missing");
            }
            Object merchant = token.getClaims().get("merchant_id");
            if (merchant != null
                    && !(merchant instanceof String id
                            && MERCHANT_ID.matcher(id).matches())) {
                return refused("merchant_id is not valid");
            }
            Instant expiry = token.getExpiresAt();
            if (expiry == null) {
                return refused("exp is missing");
            }
            Instant latest = Instant.now().plus(properties.longestToken()).plus(CLOCK_SKEW);
            return expiry.isAfter(latest)
                    ? refused("exp is further away than this service allows")
                    : OAuth2TokenValidatorResult.success();
        };
    }

    private static OAuth2TokenValidatorResult refused(String why) {
        return OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token", why, null));
    }

    /** Around whichever decoder there is: public key, JWK set, issuer, or the service's own. */
    @Bean
    static BeanPostProcessor rememberedTokens(ObjectProvider<WebProperties> properties) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (!(bean instanceof JwtDecoder decoder)) {
                    return bean;
                }
                Duration atMost = properties.getObject().rememberTokens();
                return atMost.isPositive() ? new RememberedTokens(decoder, atMost, InstantSource.system()) : bean;
            }
        };
    }

    /**
     * Not a measurement for each of the dozen filters of each request: they were a good part of the processor time of a
     * POST. The request as a whole is measured all the same.
     */
    @Bean
    @ConditionalOnMissingBean
    SecurityObservationSettings securityObservations() {
        return SecurityObservationSettings.noObservations();
    }

    /** Also refuses U+0000 in parameters, which PostgreSQL cannot store. */
    @Bean
    @ConditionalOnMissingBean
    HttpFirewall firewall() {
        var firewall = new StrictHttpFirewall();
        firewall.setAllowedParameterValues(value -> value.indexOf(0) < 0);
        return firewall;
    }
}
