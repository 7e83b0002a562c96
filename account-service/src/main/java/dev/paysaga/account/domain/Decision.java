package dev.paysaga.account.domain;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * What to store and what to announce. Nothing has happened yet.
 *
 * @param payment the payment afterwards; the same object if nothing about it changes
 * @param parties the accounts afterwards; only a wallet's balance ever changes here
 * @param transfers to append to the ledger
 * @param workItems work orders to open (those without a resolution) or to resolve
 * @param events to announce, in this order
 */
public record Decision(
        Payment payment,
        Parties parties,
        List<Transfer> transfers,
        List<WorkItem> workItems,
        List<SpecificRecord> events) {

    public Decision {
        transfers = List.copyOf(transfers);
        workItems = List.copyOf(workItems);
        events = List.copyOf(events);
    }

    /** Nothing moves; perhaps something is said. */
    static Decision of(Payment payment, Parties parties, SpecificRecord... events) {
        return new Decision(payment, parties, List.of(), List.of(), List.of(events));
    }

    Decision moving(Transfer transfer) {
        return new Decision(payment, parties, and(transfers, transfer), workItems, events);
    }

    Decision saying(SpecificRecord event) {
        return new Decision(payment, parties, transfers, workItems, and(events, event));
    }

    Decision filing(WorkItem item) {
        return new Decision(payment, parties, transfers, and(workItems, item), events);
    }

    private static <T> List<T> and(List<T> some, T more) {
        var all = new ArrayList<>(some);
        all.add(more);
        return all;
    }
}
