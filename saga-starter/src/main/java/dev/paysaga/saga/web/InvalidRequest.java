package dev.paysaga.saga.web;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** 400 {@code invalid-request}: the request cannot be understood; {@code errors} names each field and its fault. */
public final class InvalidRequest extends Problem {

    private static final long serialVersionUID = 1L;

    /**
     * @param errors what is wrong; at least one
     * @throws IllegalArgumentException if there is none
     */
    public InvalidRequest(List<FieldError> errors) {
        this(errors, null);
    }

    /** One fault. */
    public InvalidRequest(String field, String message) {
        this(List.of(new FieldError(field, message)), null);
    }

    InvalidRequest(List<FieldError> errors, @Nullable Throwable cause) {
        super(HttpStatus.BAD_REQUEST, "invalid-request", sentence(errors), cause);
        with("errors", List.copyOf(errors));
    }

    private static String sentence(List<FieldError> errors) {
        if (errors.isEmpty()) {
            throw new IllegalArgumentException("an invalid request has at least one error");
        }
        return errors.stream()
                .map(error -> error.field() + " " + error.message())
                .collect(Collectors.joining("; ", "", "."));
    }
}
