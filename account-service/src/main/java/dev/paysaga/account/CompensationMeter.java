package dev.paysaga.account;

import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Transfer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts what came of account's compensations: {@code paysaga_compensations_total}. */
@Component
final class CompensationMeter {

    private final Counter voided;
    private final Counter refunded;
    private final Counter retried;
    private final Counter suspended;

    CompensationMeter(MeterRegistry meters) {
        this.voided = counter(meters, "void", "done");
        this.refunded = counter(meters, "refund", "done");
        this.retried = counter(meters, "refund", "retried");
        this.suspended = counter(meters, "refund", "parked");
    }

    void count(Books books) {
        for (Transfer transfer : books.newTransfers()) {
            switch (transfer.kind()) {
                case VOID -> voided.increment();
                case REFUND -> refunded.increment();
                case SUSPEND -> suspended.increment();
                case DEPOSIT, HOLD, CAPTURE, PAY_OUT, RETURN, ADJUSTMENT -> {}
            }
        }
        retried.increment(books.changedRefunds().values().stream()
                .filter(refund -> refund.status() == PaymentRefund.Status.TRYING)
                .count());
    }

    private static Counter counter(MeterRegistry meters, String step, String outcome) {
        return Counter.builder("paysaga.compensations")
                .description("Compensations, by step and by what came of them")
                .tags("step", step, "outcome", outcome)
                .register(meters);
    }
}
