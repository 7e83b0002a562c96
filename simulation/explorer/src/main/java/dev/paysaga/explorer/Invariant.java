package dev.paysaga.explorer;

import org.jspecify.annotations.Nullable;

/** Something that must be so, under a name one would say aloud. */
public record Invariant(String name, When when, Check check) {

    public enum When {
        /** In every world that can be reached. */
        ALWAYS,
        /** Where nothing is left that the system would do by itself. */
        AT_REST
    }

    /** Says what is wrong, or null. */
    @FunctionalInterface
    public interface Check {

        @Nullable
        String violated(View world);
    }

    public static Invariant always(String name, Check check) {
        return new Invariant(name, When.ALWAYS, check);
    }

    public static Invariant atRest(String name, Check check) {
        return new Invariant(name, When.AT_REST, check);
    }
}
