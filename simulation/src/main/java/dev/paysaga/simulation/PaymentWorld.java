package dev.paysaga.simulation;

import static dev.paysaga.explorer.Command.Origin.AFTER_A_SKIP;
import static dev.paysaga.explorer.Command.Origin.OUTSIDE;
import static dev.paysaga.explorer.Command.Origin.SYSTEM;
import static dev.paysaga.explorer.Command.Scope.ONE_SAGA;
import static dev.paysaga.explorer.Command.Scope.SHARED;
import static java.util.Objects.requireNonNull;

import dev.paysaga.account.domain.Account.Status;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.explorer.Choreography;
import dev.paysaga.explorer.Command;
import dev.paysaga.explorer.EventId;
import dev.paysaga.explorer.Participant;
import dev.paysaga.explorer.Step;
import dev.paysaga.saga.EventIds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;

/**
 * A payment world to explore.
 *
 * @param orders how many run at once, competing for one shelf and one wallet
 * @param units tea on the shelf; each order wants one
 * @param wallet what the payer has, in cents; each order costs {@value Cast#PRICE}
 * @param refunds how many refunds each order may have
 * @param may what else may happen
 * @param faults what may go wrong on the way
 */
public record PaymentWorld(int orders, long units, long wallet, int refunds, Set<May> may, Faults faults) {

    private static final PaymentSaga LANGUAGE = new PaymentSaga();

    /** What may happen, or is modelled, apart from orders and refunds. */
    public enum May {
        CANCEL,
        /** A refund asks for goods back. */
        RESTOCK,
        /** The payer's account is blocked, opened again, closed. */
        BLOCK_PAYER,
        /** The merchant's account is blocked and opened again. */
        BLOCK_MERCHANT,
        /** Clients ask for an order again, over HTTP and Kafka, also with other content and with none that makes sense. */
        ASK_AGAIN,
        /** A person posts differences to suspense, and decides about them. */
        ADJUST,
        /** Inboxes and event ids are modelled. */
        INBOX
    }

    /**
     * What may go wrong, and how often.
     *
     * @param redeliveries events that come once more after the inbox forgot them
     * @param parkings events that are parked, to be redriven or skipped
     * @param rewinds topics whose listener starts again from an earlier offset; without {@link May#INBOX} after a purge
     * @param overlaps events that a second replica handles at the same time
     */
    public record Faults(int redeliveries, int parkings, int rewinds, int overlaps) {

        static final Faults NONE = new Faults(0, 0, 0, 0);
    }

    public PaymentWorld {
        may = may.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(may));
    }

    /** One order with stock and money, a time-out, and nothing else. */
    public static PaymentWorld ofOneOrder() {
        return new PaymentWorld(1, 1, Cast.PRICE, 0, Set.of(), Faults.NONE);
    }

    public PaymentWorld orders(int count) {
        return new PaymentWorld(count, units, wallet, refunds, may, faults);
    }

    public PaymentWorld units(long count) {
        return new PaymentWorld(orders, count, wallet, refunds, may, faults);
    }

    public PaymentWorld wallet(long cents) {
        return new PaymentWorld(orders, units, cents, refunds, may, faults);
    }

    public PaymentWorld refunds(int count) {
        return new PaymentWorld(orders, units, wallet, count, may, faults);
    }

    public PaymentWorld canceled() {
        return and(May.CANCEL);
    }

    public PaymentWorld restocked() {
        return and(May.RESTOCK);
    }

    public PaymentWorld blocked() {
        return and(May.BLOCK_PAYER);
    }

    public PaymentWorld merchantBlocked() {
        return and(May.BLOCK_MERCHANT);
    }

    public PaymentWorld adjusted() {
        return and(May.ADJUST);
    }

    public PaymentWorld askedAgain() {
        return and(May.ASK_AGAIN);
    }

    public PaymentWorld withInboxes() {
        return and(May.INBOX);
    }

    private PaymentWorld and(May more) {
        var all = EnumSet.of(more);
        all.addAll(may);
        return new PaymentWorld(orders, units, wallet, refunds, all, faults);
    }

    public PaymentWorld redelivered(int times) {
        return with(new Faults(times, faults.parkings(), faults.rewinds(), faults.overlaps()));
    }

    public PaymentWorld parked(int times) {
        return with(new Faults(faults.redeliveries(), times, faults.rewinds(), faults.overlaps()));
    }

    public PaymentWorld rewound(int times) {
        return with(new Faults(faults.redeliveries(), faults.parkings(), times, faults.overlaps()));
    }

    public PaymentWorld overlapped(int times) {
        return with(new Faults(faults.redeliveries(), faults.parkings(), faults.rewinds(), times));
    }

    private PaymentWorld with(Faults more) {
        return new PaymentWorld(orders, units, wallet, refunds, may, more);
    }

    /** The world with production's own reactions. */
    public Choreography choreography() {
        return choreography(UnaryOperator.identity(), UnaryOperator.identity(), EventIds::derive);
    }

    /** The world with a participant, a command or the rule of event ids replaced, to see that it is noticed. */
    Choreography choreography(
            UnaryOperator<Participant> replaced, UnaryOperator<Command> replacedCommand, EventId eventId) {
        var cast = new ArrayList<Participant>(List.of(
                new OrderRole(may.contains(May.ASK_AGAIN)),
                new InventoryRole(units),
                new AccountRole(wallet),
                new NotificationRole()));
        if (may.contains(May.ASK_AGAIN)) {
            cast.add(new ClientRole());
        }
        var world = Choreography.of(cast.stream().map(replaced).toList())
                .sagas(orders)
                .topicOf(event -> LANGUAGE.route((SpecificRecord) event).topic())
                .typeOf(event -> ((SpecificRecord) event).getSchema().getName())
                .redeliveries(faults.redeliveries())
                .parkings(faults.parkings())
                .rewinds(faults.rewinds())
                .overlaps(faults.overlaps())
                .settled(PaymentInvariants::settled);
        if (may.contains(May.INBOX)) {
            world.eventId(eventId);
        }
        PaymentInvariants.all(units).forEach(world::invariant);
        commands().stream().map(replacedCommand).forEach(world::command);
        return world.build();
    }

    private List<Command> commands() {
        var world = new ArrayList<Command>();
        world.add(new Command(
                "client places the order",
                OrderRole.NAME,
                1,
                ONE_SAGA,
                SYSTEM,
                (local, shared) -> OrderRole.place(requireNonNull(local))));
        world.add(new Command(
                "time-out",
                OrderRole.NAME,
                1,
                ONE_SAGA,
                SYSTEM,
                (local, shared) -> OrderRole.timeOut(requireNonNull(local))));
        if (may.contains(May.ASK_AGAIN)) {
            askingCommands(world);
        }
        if (may.contains(May.CANCEL)) {
            world.add(new Command(
                    "merchant cancels",
                    OrderRole.NAME,
                    1,
                    ONE_SAGA,
                    OUTSIDE,
                    (local, shared) -> OrderRole.cancel(requireNonNull(local))));
        }
        if (faults.parkings() > 0) {
            world.add(new Command(
                    "a person has the requests sent again",
                    OrderRole.NAME,
                    faults.parkings(),
                    ONE_SAGA,
                    AFTER_A_SKIP,
                    (local, shared) -> OrderRole.resend(requireNonNull(local))));
        }
        refundCommands(world);
        blockCommands(world);
        if (may.contains(May.ADJUST)) {
            adjustments(world, "the payer has too much", Cast.PAYER_HAS_TOO_MUCH);
            adjustments(world, "the merchant has too much", Cast.MERCHANT_HAS_TOO_MUCH);
        }
        return world;
    }

    private static void askingCommands(List<Command> world) {
        world.add(new Command(
                "client places the order again",
                OrderRole.NAME,
                1,
                ONE_SAGA,
                OUTSIDE,
                (local, shared) -> OrderRole.placeAgain(requireNonNull(local))));
        for (ClientRole.Wish wish : ClientRole.Wish.values()) {
            world.add(new Command(
                    "another system " + wish.words(),
                    ClientRole.NAME,
                    wish.times(),
                    ONE_SAGA,
                    OUTSIDE,
                    (local, shared) -> Step.of(requireNonNull(local), shared, wish.request())));
        }
    }

    private void refundCommands(List<Command> world) {
        for (long amount = 1; amount <= Cast.PRICE && refunds > 0; amount++) {
            long cents = amount;
            world.add(new Command(
                    "merchant refunds " + cents,
                    OrderRole.NAME,
                    refunds,
                    ONE_SAGA,
                    OUTSIDE,
                    (local, shared) -> OrderRole.refund(requireNonNull(local), refunds, cents, false)));
            if (may.contains(May.RESTOCK)) {
                world.add(new Command(
                        "merchant refunds " + cents + " with the tea back",
                        OrderRole.NAME,
                        refunds,
                        ONE_SAGA,
                        OUTSIDE,
                        (local, shared) -> OrderRole.refund(requireNonNull(local), refunds, cents, true)));
            }
        }
        for (int number = 1; number <= refunds && may.contains(May.BLOCK_PAYER); number++) {
            int refund = number;
            world.add(new Command(
                    "refund " + refund + " is tried again",
                    AccountRole.NAME,
                    3,
                    ONE_SAGA,
                    SYSTEM,
                    (local, shared) -> AccountRole.retryRefund(requireNonNull(local), shared, refund)));
        }
        if (refunds > 0 && may.contains(May.BLOCK_PAYER)) {
            for (String action : List.of("RETRY", "PAY_OUT", "RETURN")) {
                world.add(resolution(WorkItem.Kind.REFUND_SUSPENDED, action, refunds));
            }
        }
    }

    private void blockCommands(List<Command> world) {
        if (may.contains(May.BLOCK_PAYER)) {
            world.add(payer("blocked", Status.OPEN, Status.BLOCKED));
            world.add(payer("opened again", Status.BLOCKED, Status.OPEN));
            world.add(payer("closed", Status.OPEN, Status.CLOSED));
        }
        if (may.contains(May.BLOCK_MERCHANT)) {
            world.add(merchant("blocked", Status.OPEN, Status.BLOCKED));
            world.add(merchant("opened again", Status.BLOCKED, Status.OPEN));
            world.add(resolution(WorkItem.Kind.CAPTURE_SUSPENDED, "RETRY", 1));
            world.add(resolution(WorkItem.Kind.CAPTURE_SUSPENDED, "PAY_OUT", 1));
        }
    }

    /** Posted twice, as by a command that comes again when every inbox has forgotten it; and decided about in every way. */
    private static void adjustments(List<Command> world, String what, UUID workOrder) {
        world.add(new Command(
                "a person posts that " + what,
                AccountRole.NAME,
                2,
                ONE_SAGA,
                OUTSIDE,
                (local, shared) -> AccountRole.post(requireNonNull(local), shared, workOrder)));
        for (String action : List.of("RETURN", "PAY_OUT", "WRITE_OFF")) {
            world.add(new Command(
                    "a person answers " + action + " where " + what,
                    AccountRole.NAME,
                    1,
                    ONE_SAGA,
                    OUTSIDE,
                    (local, shared) -> AccountRole.settle(requireNonNull(local), shared, workOrder, action)));
        }
    }

    private static Command resolution(WorkItem.Kind kind, String action, int times) {
        String name = "a person resolves " + kind + " with " + action;
        return new Command(
                name,
                AccountRole.NAME,
                times,
                ONE_SAGA,
                OUTSIDE,
                (local, shared) -> AccountRole.resolve(requireNonNull(local), shared, kind, action));
    }

    private static Command payer(String what, Status from, Status to) {
        return new Command(
                "the payer's account is " + what,
                AccountRole.NAME,
                1,
                SHARED,
                OUTSIDE,
                (local, shared) -> AccountRole.payer(shared, from, to));
    }

    private static Command merchant(String what, Status from, Status to) {
        return new Command(
                "the merchant's account is " + what,
                AccountRole.NAME,
                1,
                SHARED,
                OUTSIDE,
                (local, shared) -> AccountRole.merchant(shared, from, to));
    }
}
