package dev.paysaga.events;

/** The Kafka topics. Forward and compensating events travel apart, so that neither can starve the other. */
public final class Topics {

    /** Orders wanted by other systems; anybody with the grant may write. */
    public static final String ORDER_REQUESTS = "order.requests";

    public static final String ORDER_EVENTS = "order.events";
    public static final String ORDER_COMPENSATIONS = "order.compensations";
    public static final String INVENTORY_EVENTS = "inventory.events";
    public static final String INVENTORY_COMPENSATIONS = "inventory.compensations";
    public static final String ACCOUNT_EVENTS = "account.events";
    public static final String ACCOUNT_COMPENSATIONS = "account.compensations";

    /** Decisions of people; the operators' grant. */
    public static final String OPS_COMMANDS = "ops.commands";

    /** What people should see. */
    public static final String OPS_EVENTS = "ops.events";

    private Topics() {}
}
