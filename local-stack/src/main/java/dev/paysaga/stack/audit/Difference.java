package dev.paysaga.stack.audit;

/**
 * Something that is not as it must be.
 *
 * @param rule the rule that is broken, for example {@code order-without-capture}
 * @param subject whose: an order id, an account, a product
 * @param detail what was found and what was expected, with amounts
 */
public record Difference(String rule, String subject, String detail) {

    @Override
    public String toString() {
        return rule + "  " + subject + ": " + detail;
    }
}
