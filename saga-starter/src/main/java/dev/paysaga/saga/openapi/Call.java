package dev.paysaga.saga.openapi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the signature of a controller method does not say about a call. What all calls have in common (tokens, scopes,
 * keys, limits and their refusals) is known without it.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Call {

    /** What it does, in a few words. */
    String value();

    /** The statuses of its success; those of {@code @ResponseStatus}, or 200, if none is given. */
    int[] answers() default {};

    /** Problems of its own, as status and slug: {@code "409 out-of-stock"}. */
    String[] refuses() default {};

    /** Fields of the body that may be left out; the others are required. */
    String[] optional() default {};

    /** Request headers of its own, as name and purpose: {@code "Prefer: wait=N waits for the outcome"}. */
    String[] headers() default {};
}
