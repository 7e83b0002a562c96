package dev.paysaga.saga.state;

import java.util.UUID;

/**
 * One change of an aggregate's state.
 *
 * @param aggregateId what changed
 * @param eventId why: the event that led to it; unique per aggregate, so that no event changes one twice
 * @param from the old state's code
 * @param to the new state's code; may equal the old one when only facts were added
 * @param version the aggregate's version after the change
 * @param fromName the old state's name, for metrics
 * @param toName the new state's name, for metrics
 */
public record Transition(
        UUID aggregateId, UUID eventId, int from, int to, int version, String fromName, String toName) {}
