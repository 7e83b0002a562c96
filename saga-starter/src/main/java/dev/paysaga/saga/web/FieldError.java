package dev.paysaga.saga.web;

/**
 * What is wrong with one field of a request.
 *
 * @param field path from the root of the body, such as {@code lines[0].quantity}; the name of a parameter or a
 *     header; {@code body} for the body as a whole
 * @param message what is wrong, as the rest of a sentence that begins with the field's name
 */
public record FieldError(String field, String message) {}
