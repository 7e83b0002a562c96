package dev.paysaga.simulation.history;

import java.util.UUID;

/**
 * A step that the services' reactions do not allow.
 *
 * @param service who took it, or failed to
 * @param step which one, in words
 * @param why what is wrong with it
 */
public record Deviation(String service, UUID orderId, String step, String why) {

    @Override
    public String toString() {
        return service + ", order " + orderId + ", " + step + ": " + why;
    }
}
