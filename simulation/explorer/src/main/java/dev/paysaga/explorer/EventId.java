package dev.paysaga.explorer;

import java.util.UUID;

/** How an event's id follows from its cause. Production's own function belongs here, so that colliding ids are found. */
@FunctionalInterface
public interface EventId {

    /**
     * @param cause the id of the event or command that led to this event
     * @param producer the announcing participant
     * @param type the event's type
     * @param index its place among the events of one decision, from 0
     */
    UUID derive(UUID cause, String producer, String type, int index);
}
