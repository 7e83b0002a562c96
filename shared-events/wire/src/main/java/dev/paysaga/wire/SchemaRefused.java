package dev.paysaga.wire;

/** The schema registry will not have a schema, mostly because old readers could not read it: retrying does not help. */
public final class SchemaRefused extends RuntimeException {

    private static final long serialVersionUID = 1;

    SchemaRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
