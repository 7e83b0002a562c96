package dev.paysaga.stack.chaos;

import java.util.Random;

/** What a client comes for. */
enum Errand {
    BUY(26),
    /** With {@code Prefer: wait}: the outcome is told in the answer. */
    BUY_AND_WAIT(6),
    OUT_OF_STOCK(7),
    INSUFFICIENT_FUNDS(7),
    BLOCKED_PAYER(4),
    /** At any moment: before, while and after the order is decided. */
    CANCEL(15),
    REFUND_WHOLE(5),
    /** Two parts at the same time, and a third that would be too much. */
    REFUND_PARTS(5),
    /** Refused by the ledger: ends in suspense and with a person. */
    REFUND_TO_CLOSED_ACCOUNT(3),
    /** The same request several times at once, with the same key. */
    SAME_KEY(6),
    /** The same order under another key: another process of the client's, say. */
    OTHER_KEY(5),
    /** The same business key with other content: refused. */
    OTHER_CONTENT(3),
    /** Published to {@code order.requests}, twice. */
    BY_KAFKA(5),
    /** Money and goods come in. */
    DELIVER(3);

    private static final int ALL =
            java.util.Arrays.stream(values()).mapToInt(errand -> errand.share).sum();

    private final int share;

    Errand(int share) {
        this.share = share;
    }

    /** One of them, each as often as its share says. */
    static Errand draw(Random random) {
        int ticket = random.nextInt(ALL);
        for (Errand errand : values()) {
            ticket -= errand.share;
            if (ticket < 0) {
                return errand;
            }
        }
        throw new AssertionError("the shares add up");
    }
}
