package dev.paysaga.order.domain;

/**
 * What is wrong with one field of a request.
 *
 * @param field path from the root of the request, such as {@code lines[0].quantity}
 * @param message what is wrong, as the rest of a sentence that begins with the field's name
 */
public record Fault(String field, String message) {

    @Override
    public String toString() {
        return field + " " + message;
    }
}
