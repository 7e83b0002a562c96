package dev.paysaga.wire;

/**
 * Names of the Kafka headers: CloudEvents 1.0, Kafka binding, binary mode, plus trace context and cause. Never plain
 * {@code id}, which Spring Messaging keeps for itself.
 */
public final class CloudEventHeaders {

    /** The event's id, the same on every delivery; what receivers remember. */
    public static final String ID = "ce_id";

    /** The event's type: its record's simple name, such as OrderPaid. */
    public static final String TYPE = "ce_type";

    /** The service that announced it. */
    public static final String SOURCE = "ce_source";

    /** When it was announced, RFC 3339 in UTC. */
    public static final String TIME = "ce_time";

    /** The aggregate it is about; equals the record's key. */
    public static final String SUBJECT = "ce_subject";

    /** Always {@link #SPEC_VERSION_1_0}. */
    public static final String SPEC_VERSION = "ce_specversion";

    public static final String SPEC_VERSION_1_0 = "1.0";

    /** W3C trace context. */
    public static final String TRACEPARENT = "traceparent";

    /** The id of the event or aggregate that led to this event. */
    public static final String CAUSATION_ID = "paysaga_causation_id";

    private CloudEventHeaders() {}
}
