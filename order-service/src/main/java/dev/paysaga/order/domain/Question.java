package dev.paysaga.order.domain;

import java.util.UUID;

/**
 * What an open work order asks a person.
 *
 * @param about the order's id, or that of an event that names no order
 * @param parked whether an event could not be handled; otherwise an order does not move
 * @param waits whether that event still waits, neither redriven nor skipped
 */
public record Question(UUID about, boolean parked, boolean waits) {}
