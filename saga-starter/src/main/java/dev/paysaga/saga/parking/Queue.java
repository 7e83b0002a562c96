package dev.paysaga.saga.parking;

/**
 * Where order is kept: the events of one key within one topic. Never across topics: two events that wait for each other
 * there would wait for ever.
 */
public record Queue(String topic, String key) {}
