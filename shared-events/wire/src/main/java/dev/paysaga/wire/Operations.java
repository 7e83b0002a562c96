package dev.paysaga.wire;

import java.util.Optional;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a published language calls the things that happen to every saga, whatever it is about: events are parked, people are
 * asked and decide. A language without a word for one of them is silent about it.
 */
public interface Operations {

    /** For a language that says nothing of it. */
    Operations SILENT = new Operations() {};

    /**
     * An event that could not be handled and was set aside.
     *
     * @param id of the parked event
     * @param consumer the service that could not handle it
     * @param key of the record; empty if it had none
     * @param reason in plain words
     */
    record Parked(UUID id, String consumer, String topic, String key, int partition, long offset, String reason) {}

    /**
     * A work order that a person is asked about.
     *
     * @param aggregateId what is concerned
     * @param merchantId whose it is; null if nobody knows
     * @param currency ISO 4217 code; null if no money is in suspense for it
     * @param amount in minor units; null if no money is in suspense for it
     */
    record Question(
            UUID id,
            UUID aggregateId,
            @Nullable String merchantId,
            String kind,
            @Nullable String currency,
            @Nullable Long amount,
            String detail) {}

    /**
     * What a person has decided about a work order.
     *
     * @param merchantId whose it is; null if nobody knows
     * @param refundNo the refund it is about; null if it is about none
     * @param amount decided upon, in minor units; null if it moves no money
     * @param note why, in the person's own words; null if nothing was said
     * @param where the account that the person named
     */
    record Answer(
            UUID workOrderId,
            UUID aggregateId,
            @Nullable String merchantId,
            String action,
            @Nullable String refundNo,
            @Nullable Long amount,
            String actor,
            @Nullable String note,
            Where where) {}

    /**
     * An account, by its name or by the part it plays in the aggregate.
     *
     * @param account its name; null if none was named
     * @param side its part, such as that of the payer; null if an account was named, or none
     * @param currency ISO 4217 code; null if it goes without saying
     */
    record Where(
            @Nullable String account,
            @Nullable String side,
            @Nullable String currency) {

        /** No account was named. */
        public static final Where UNSAID = new Where(null, null, null);
    }

    /** The event that tells of a parked one. */
    default Optional<SpecificRecord> parked(Parked event) {
        return Optional.empty();
    }

    /** The event that tells of a question. */
    default Optional<SpecificRecord> opened(Question question) {
        return Optional.empty();
    }

    /** The event that tells of an answer that was carried out. */
    default Optional<SpecificRecord> resolved(Answer answer) {
        return Optional.empty();
    }

    /** The command to carry an answer out. */
    default Optional<SpecificRecord> command(Answer answer) {
        return Optional.empty();
    }
}
