package dev.paysaga.events;

import dev.paysaga.wire.Operations;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The words for parked events and work orders, the same in every service. */
final class PaymentOperations implements Operations {

    static final Operations WORDS = new PaymentOperations();

    /** For an event that does not even say whose it is: the schemas know no merchant that is null or empty. */
    private static final String UNKNOWN = "unknown";

    private PaymentOperations() {}

    @Override
    public Optional<SpecificRecord> parked(Parked event) {
        return Optional.of(new EventParked(
                event.id(),
                event.consumer(),
                event.topic(),
                event.key(),
                event.partition(),
                event.offset(),
                event.reason()));
    }

    @Override
    public Optional<SpecificRecord> opened(Question question) {
        return Optional.of(new WorkOrderOpened(
                question.id(),
                question.aggregateId(),
                merchant(question.merchantId()),
                question.kind(),
                question.currency(),
                question.amount(),
                question.detail()));
    }

    @Override
    public Optional<SpecificRecord> resolved(Answer answer) {
        return Optional.of(new WorkOrderResolved(
                answer.workOrderId(),
                answer.aggregateId(),
                merchant(answer.merchantId()),
                answer.action(),
                answer.actor()));
    }

    @Override
    public Optional<SpecificRecord> command(Answer answer) {
        return Optional.of(new ResolveWorkOrder(
                answer.workOrderId(),
                answer.aggregateId(),
                merchant(answer.merchantId()),
                answer.action(),
                answer.refundNo(),
                answer.amount(),
                answer.actor(),
                answer.note()));
    }

    private static String merchant(@Nullable String known) {
        return Objects.requireNonNullElse(known, UNKNOWN);
    }
}
