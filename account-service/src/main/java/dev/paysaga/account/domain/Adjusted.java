package dev.paysaga.account.domain;

import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What to store and what to announce about a difference. Nothing has happened yet.
 *
 * @param purse the account whose money moves, afterwards; null if none does
 * @param transfers to append to the ledger
 * @param workItems work orders to open or to say anew (those without a resolution), or to resolve
 * @param events to announce, in this order
 */
public record Adjusted(
        @Nullable Purse purse, List<Transfer> transfers, List<WorkItem> workItems, List<SpecificRecord> events) {

    public Adjusted {
        transfers = List.copyOf(transfers);
        workItems = List.copyOf(workItems);
        events = List.copyOf(events);
    }

    /** Nothing moves; perhaps something is said. */
    static Adjusted saying(SpecificRecord... events) {
        return new Adjusted(null, List.of(), List.of(), List.of(events));
    }

    /** Nothing moves, and a person is asked. */
    static Adjusted asking(WorkItem item) {
        return new Adjusted(null, List.of(), List.of(item), List.of(item.opened()));
    }
}
