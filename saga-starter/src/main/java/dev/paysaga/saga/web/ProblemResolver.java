package dev.paysaga.saga.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Turns whatever was thrown while a request was handled into a problem. */
final class ProblemResolver implements HandlerExceptionResolver {

    private final ProblemWriter writer;

    ProblemResolver(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    public ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        try {
            writer.write(Problems.of(thrown, request), response);
        } catch (IOException e) {
            throw new UncheckedIOException("the caller went away before it had its answer", e);
        }
        return new ModelAndView();
    }
}
