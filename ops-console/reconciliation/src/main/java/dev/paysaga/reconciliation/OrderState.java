package dev.paysaga.reconciliation;

import java.util.Set;

/** The states of an order: the contract's codes, written down once more. */
final class OrderState {

    static final int CONFIRMED = 30;
    static final int PAID = 40;
    static final int CANCELED = 51;
    static final int REFUNDING = 60;
    static final int PARTIALLY_REFUNDED = 61;
    static final int REFUNDED = 62;
    static final Set<Integer> PAST_THE_PIVOT = Set.of(CONFIRMED, PAID, REFUNDING, PARTIALLY_REFUNDED, REFUNDED);
    static final Set<Integer> TERMINAL = Set.of(PAID, CANCELED, PARTIALLY_REFUNDED, REFUNDED);

    private OrderState() {}

    static String name(int state) {
        return switch (state) {
            case 10 -> "CREATED";
            case 20 -> "STOCK_RESERVED";
            case CONFIRMED -> "CONFIRMED";
            case PAID -> "PAID";
            case 50 -> "CANCELING";
            case CANCELED -> "CANCELED";
            case REFUNDING -> "REFUNDING";
            case PARTIALLY_REFUNDED -> "PARTIALLY_REFUNDED";
            case REFUNDED -> "REFUNDED";
            default -> "state " + state;
        };
    }
}
