package dev.paysaga.console;

import dev.paysaga.console.Reconciliations.Run;
import dev.paysaga.reconciliation.Comparison;
import dev.paysaga.reconciliation.Report;
import dev.paysaga.reconciliation.Statements;
import dev.paysaga.reconciliation.Window;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Reconciles, on schedule and when somebody asks for it. */
@Component
final class Reconciler implements SchedulingConfigurer {

    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

    private final Reconciliations reconciliations;
    private final Differences differences;
    private final RecordedEvents recorded;
    private final Comparison comparison;
    private final TransactionTemplate transaction;
    private final ConsoleProperties properties;
    private final Clock clock = Clock.systemUTC();
    private final AtomicLong reported = new AtomicLong();

    Reconciler(
            Reconciliations reconciliations,
            Differences differences,
            RecordedEvents recorded,
            OpsToken token,
            PlatformTransactionManager transactions,
            ConsoleProperties properties,
            MeterRegistry meters) {
        this.reconciliations = reconciliations;
        this.differences = differences;
        this.recorded = recorded;
        this.comparison = new Comparison(new Statements(properties.services(), token), recorded, clock);
        this.transaction = new TransactionTemplate(transactions);
        this.properties = properties;
        Gauge.builder("paysaga.reconciliation.differences", reported, AtomicLong::get)
                .description("Differences that were found twice and are still there")
                .register(meters);
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar registrar) {
        registrar.addFixedDelayTask(this::look, properties.poll());
    }

    private void look() {
        try {
            reconciliations.take().ifPresent(this::reconcile);
            reported.set(differences.reported());
        } catch (RuntimeException e) {
            log.warn("Reconciliation could not begin and will be tried again: {}", e.toString());
        }
    }

    private void reconcile(Run run) {
        try {
            Instant now = clock.instant();
            Instant from = run.whole() ? null : now.minus(properties.lookBack());
            Report report = comparison.run(windows(from, now));
            transaction.executeWithoutResult(status -> {
                differences.take(report.differences(), from);
                reconciliations.done(run, report);
            });
            report.differences().forEach(difference -> log.warn("Found {}", difference));
        } catch (RuntimeException e) {
            log.warn("Reconciliation {} failed: {}", run.reconciliationId(), e.toString());
            reconciliations.failed(run, String.valueOf(e.getMessage()));
        }
    }

    /** From the beginning in one, then in steps; the last one has no end, so that nothing slips through. */
    private List<Window> windows(@Nullable Instant from, Instant now) {
        var windows = new ArrayList<Window>();
        Instant oldest = recorded.oldest();
        Instant begin = from;
        if (begin == null) {
            begin = oldest == null ? now : oldest;
            windows.add(new Window(null, begin));
        } else if (oldest != null && oldest.isAfter(begin)) {
            begin = oldest.isAfter(now) ? begin : oldest;
            windows.add(new Window(from, begin));
        }
        while (begin.plus(properties.window()).isBefore(now)) {
            Instant next = begin.plus(properties.window());
            windows.add(new Window(begin, next));
            begin = next;
        }
        windows.add(new Window(begin, null));
        return windows;
    }
}
