package dev.paysaga.order.domain;

/** What became of a request. A refusal and a repetition are outcomes, not faults. */
public sealed interface Outcome {

    /** It is decided now. */
    record Accepted(Decision decision) implements Outcome {}

    /** It was decided before; nothing changes. */
    record Repeated(Order order) implements Outcome {}

    /**
     * It is not done.
     *
     * @param detail what stands against it and what to do instead, in plain words
     */
    record Refused(Refusal refusal, String detail) implements Outcome {}
}
