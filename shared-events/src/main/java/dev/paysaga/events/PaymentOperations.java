package dev.paysaga.events;

import dev.paysaga.wire.Operations;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The words for parked events and work orders, the same in every service. */
final class PaymentOperations implements Operations {

    static final Operations WORDS = new PaymentOperations();

    private static final String POST_TO_SUSPENSE = "POST_TO_SUSPENSE";

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
        return Optional.of(answer.action().equals(POST_TO_SUSPENSE) ? posting(answer) : resolution(answer));
    }

    private static ResolveWorkOrder resolution(Answer answer) {
        return new ResolveWorkOrder(
                answer.workOrderId(),
                answer.aggregateId(),
                merchant(answer.merchantId()),
                answer.action(),
                answer.refundNo(),
                answer.amount(),
                answer.actor(),
                answer.note(),
                answer.where().account());
    }

    /** @throws IllegalArgumentException without a currency or an amount */
    private static PostToSuspense posting(Answer answer) {
        String currency = answer.where().currency();
        Long amount = answer.amount();
        if (currency == null || amount == null) {
            throw new IllegalArgumentException("what is posted has a currency and an amount: " + answer);
        }
        String account = answer.where().account();
        return new PostToSuspense(
                answer.workOrderId(),
                answer.aggregateId(),
                account == null ? merchant(answer.merchantId()) : owner(account),
                account,
                answer.where().side(),
                currency,
                amount,
                answer.actor(),
                answer.note());
    }

    /** An account's own name holds no slash; its merchant's may. */
    private static String owner(String account) {
        int slash = account.lastIndexOf('/');
        return slash < 1 ? UNKNOWN : account.substring(0, slash);
    }

    private static String merchant(@Nullable String known) {
        return Objects.requireNonNullElse(known, UNKNOWN);
    }
}
