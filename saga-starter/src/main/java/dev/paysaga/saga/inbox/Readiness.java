package dev.paysaga.saga.inbox;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Keeps traffic away until the service's schemas are registered: before that it cannot announce anything. The service is
 * alive all the while.
 */
final class Readiness implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

    private final ApplicationContext context;
    private boolean prepared;
    private boolean heldBack;

    Readiness(ApplicationContext context) {
        this.context = context;
    }

    /** Spring Boot accepts traffic as soon as the context is up; that may be too early. */
    @Override
    public synchronized void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        if (!prepared && event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
            heldBack = true;
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
        }
    }

    synchronized void prepared() {
        prepared = true;
        if (heldBack) {
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        }
    }
}
