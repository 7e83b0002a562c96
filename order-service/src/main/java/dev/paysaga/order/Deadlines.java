package dev.paysaga.order;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

/** Looks for orders whose deadline has passed. Every replica does; none waits for another's locks. */
@Component
final class Deadlines implements SchedulingConfigurer {

    private static final Logger log = LoggerFactory.getLogger(Deadlines.class);

    private final OrderDesk desk;
    private final OrderMeters meters;
    private final OrderProperties.Deadlines deadlines;

    Deadlines(OrderDesk desk, OrderMeters meters, OrderProperties properties) {
        this.desk = desk;
        this.meters = meters;
        this.deadlines = properties.deadlines();
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar registrar) {
        registrar.addFixedDelayTask(this::look, deadlines.poll());
        registrar.addFixedDelayTask(this::measure, OrderMeters.INTERVAL);
    }

    private void look() {
        try {
            while (desk.settleOverdue() == deadlines.batch()) {
                log.info("{} orders were overdue at once, looking for more", deadlines.batch());
            }
            desk.closeSkipped();
        } catch (RuntimeException e) {
            log.warn("Deadlines could not be looked after and will be again in {}: {}", deadlines.poll(), e.toString());
        }
    }

    private void measure() {
        try {
            meters.measure();
        } catch (RuntimeException e) {
            log.warn("Orders could not be counted: {}", e.toString());
        }
    }
}
