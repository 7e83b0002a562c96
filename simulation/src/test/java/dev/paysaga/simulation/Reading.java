package dev.paysaga.simulation;

import java.util.Arrays;
import java.util.List;

/**
 * A way to read the contract that looks harmless and is not.
 *
 * @param words what it says
 * @param safeguards those that forbid it, by name
 */
record Reading(String words, List<String> safeguards) {

    private static Reading reading(String words, String... safeguards) {
        return new Reading(words, Arrays.asList(safeguards));
    }

    static List<Reading> all() {
        return List.of(
                reading(
                        "An event's id follows from its cause and its place alone.",
                        "event ids depend on who announces and what"),
                reading(
                        "Inventory that rejected has nothing to release, and keeps silent.",
                        "a rejected reservation answers the cancellation"),
                reading(
                        "Account that declined has nothing to void, and keeps silent.",
                        "a declined payment answers the cancellation"),
                reading(
                        "Inventory that released already keeps silent, and the order counts the release that answers a decline"
                                + " as none.",
                        "a released reservation answers the cancellation"),
                reading(
                        "A release before the order cancels is in no table, and is parked.",
                        "the order hears of a release before it cancels"),
                reading(
                        "The order reserves before it confirms: an authorization in CREATED is impossible.",
                        "PaymentAuthorized may overtake StockReserved"),
                reading(
                        "StockReserved makes the order STOCK_RESERVED, whatever it is.",
                        "a confirmed order does not go back to STOCK_RESERVED"),
                reading(
                        "A rejection cancels the order, also when it is canceled.",
                        "a canceled order is not canceled again"),
                reading("A capture needs an open payer's account.", "a blocked payer's hold is captured all the same"),
                reading(
                        "An account may be closed over a hold, and a closed account refuses the void.",
                        "an account with a hold is not closed"),
                reading("Refused three times, a refund has failed.", "suspended is not failed"),
                reading(
                        "… and what lies in suspense no longer counts against the capture.",
                        "what is in suspense stays claimed",
                        "account claims what is in suspense, whatever it answered"),
                reading(
                        "… and the order goes back to what it was.",
                        "a refund in suspense is neither failed nor forgotten by the order"),
                reading(
                        "A failed refund puts the order back into the state in which it was asked for.",
                        "an answer to a refund never brings back an earlier state of the order"),
                reading(
                        "… and a completed one sets the state by its own amount.",
                        "both answers to a refund derive the order's state"),
                reading(
                        "A completed refund sets the state although another is still open.",
                        "the order's state follows from all its refunds"),
                reading("A confirmed order can be refunded.", "no refund before the order is paid"),
                reading(
                        "The capture alone makes an order paid.",
                        "paid only when stock is committed too",
                        "paid only when the money is captured too"),
                reading(
                        "… and what comes too early is parked with all topics of its key.",
                        "paid only when stock is committed too"),
                reading(
                        "… and a completed refund proves that the order was confirmed, so that stock is committed with it.",
                        "money that came back proves nothing about stock"),
                reading(
                        "Each refund with restock puts the whole order back.",
                        "order bounds restocks by what was committed"),
                reading("The inbox is enough to restock once.", "a refund is restocked once by its number"),
                reading("The inbox is enough to pay back once.", "a refund is paid once by its number"),
                reading(
                        "A refund is bounded by what was paid back, not by what was asked for.",
                        "somebody bounds refunds by what is claimed",
                        "order bounds refunds by what is claimed",
                        "account bounds refunds by what is claimed"),
                reading(
                        "What was decided is not answered again.",
                        "a committed reservation answers the confirmation again",
                        "a captured payment answers the confirmation again",
                        "a reversed payment answers the cancellation again",
                        "a fenced payment answers the cancellation again",
                        "a fenced reservation answers the cancellation again",
                        "a completed refund answers the request again"),
                reading(
                        "Inventory need not remember a cancellation of an order it does not know.",
                        "inventory remembers a cancellation that overtakes its order",
                        "inventory refuses an order that comes after its cancellation"),
                reading(
                        "Account need not remember a cancellation of a payment it does not know.",
                        "account remembers a cancellation that overtakes its order",
                        "account refuses a request that comes after its cancellation"),
                reading(
                        "An authorization confirms, also when the order is canceling.",
                        "a canceling order does not confirm"));
    }
}
