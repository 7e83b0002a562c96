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
import dev.paysaga.saga.EventIds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;

/**
 * A payment world to explore.
 *
 * @param orders how many run at once, competing for one shelf and one wallet
 * @param units tea on the shelf; each order wants one
 * @param wallet what the payer has, in cents; each order costs {@value Cast#PRICE}
 * @param cancels whether the merchant may cancel
 * @param refunds how many refunds each order may have
 * @param restock whether a refund may ask for goods back
 * @param blocks whether the payer's account may be blocked, opened again and closed
 * @param merchantBlocks whether the merchant's account may be blocked and opened again
 * @param redeliveries how many events come once more after the inbox forgot them
 * @param parkings how many events are parked, to be redriven or skipped
 * @param inboxes whether inboxes and event ids are modelled
 */
public record PaymentWorld(
        int orders,
        long units,
        long wallet,
        boolean cancels,
        int refunds,
        boolean restock,
        boolean blocks,
        boolean merchantBlocks,
        int redeliveries,
        int parkings,
        boolean inboxes) {

    private static final PaymentSaga LANGUAGE = new PaymentSaga();

    /** One order with stock and money, a time-out, and nothing else. */
    public static PaymentWorld ofOneOrder() {
        return new PaymentWorld(1, 1, Cast.PRICE, false, 0, false, false, false, 0, 0, false);
    }

    public PaymentWorld orders(int count) {
        return new PaymentWorld(
                count,
                units,
                wallet,
                cancels,
                refunds,
                restock,
                blocks,
                merchantBlocks,
                redeliveries,
                parkings,
                inboxes);
    }

    public PaymentWorld units(long count) {
        return new PaymentWorld(
                orders,
                count,
                wallet,
                cancels,
                refunds,
                restock,
                blocks,
                merchantBlocks,
                redeliveries,
                parkings,
                inboxes);
    }

    public PaymentWorld wallet(long cents) {
        return new PaymentWorld(
                orders,
                units,
                cents,
                cancels,
                refunds,
                restock,
                blocks,
                merchantBlocks,
                redeliveries,
                parkings,
                inboxes);
    }

    public PaymentWorld canceled() {
        return new PaymentWorld(
                orders, units, wallet, true, refunds, restock, blocks, merchantBlocks, redeliveries, parkings, inboxes);
    }

    public PaymentWorld refunds(int count) {
        return new PaymentWorld(
                orders,
                units,
                wallet,
                cancels,
                count,
                restock,
                blocks,
                merchantBlocks,
                redeliveries,
                parkings,
                inboxes);
    }

    public PaymentWorld restocked() {
        return new PaymentWorld(
                orders, units, wallet, cancels, refunds, true, blocks, merchantBlocks, redeliveries, parkings, inboxes);
    }

    public PaymentWorld blocked() {
        return new PaymentWorld(
                orders,
                units,
                wallet,
                cancels,
                refunds,
                restock,
                true,
                merchantBlocks,
                redeliveries,
                parkings,
                inboxes);
    }

    public PaymentWorld merchantBlocked() {
        return new PaymentWorld(
                orders, units, wallet, cancels, refunds, restock, blocks, true, redeliveries, parkings, inboxes);
    }

    public PaymentWorld redelivered(int times) {
        return new PaymentWorld(
                orders, units, wallet, cancels, refunds, restock, blocks, merchantBlocks, times, parkings, inboxes);
    }

    public PaymentWorld parked(int times) {
        return new PaymentWorld(
                orders, units, wallet, cancels, refunds, restock, blocks, merchantBlocks, redeliveries, times, inboxes);
    }

    public PaymentWorld withInboxes() {
        return new PaymentWorld(
                orders, units, wallet, cancels, refunds, restock, blocks, merchantBlocks, redeliveries, parkings, true);
    }

    /** The world with production's own reactions. */
    public Choreography choreography() {
        return choreography(UnaryOperator.identity(), UnaryOperator.identity(), EventIds::derive);
    }

    /** The world with a participant, a command or the rule of event ids replaced, to see that it is noticed. */
    Choreography choreography(
            UnaryOperator<Participant> replaced, UnaryOperator<Command> replacedCommand, EventId eventId) {
        List<Participant> cast = List.<Participant>of(
                        new OrderRole(), new InventoryRole(units), new AccountRole(wallet), new NotificationRole())
                .stream()
                .map(replaced)
                .toList();
        var world = Choreography.of(cast)
                .sagas(orders)
                .topicOf(event -> LANGUAGE.route((SpecificRecord) event).topic())
                .typeOf(event -> ((SpecificRecord) event).getSchema().getName())
                .redeliveries(redeliveries)
                .parkings(parkings)
                .settled(PaymentInvariants::settled);
        if (inboxes) {
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
        if (cancels) {
            world.add(new Command(
                    "merchant cancels",
                    OrderRole.NAME,
                    1,
                    ONE_SAGA,
                    OUTSIDE,
                    (local, shared) -> OrderRole.cancel(requireNonNull(local))));
        }
        if (parkings > 0) {
            world.add(new Command(
                    "a person has the requests sent again",
                    OrderRole.NAME,
                    parkings,
                    ONE_SAGA,
                    AFTER_A_SKIP,
                    (local, shared) -> OrderRole.resend(requireNonNull(local))));
        }
        refundCommands(world);
        blockCommands(world);
        return world;
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
            if (restock) {
                world.add(new Command(
                        "merchant refunds " + cents + " with the tea back",
                        OrderRole.NAME,
                        refunds,
                        ONE_SAGA,
                        OUTSIDE,
                        (local, shared) -> OrderRole.refund(requireNonNull(local), refunds, cents, true)));
            }
        }
        for (int number = 1; number <= refunds && blocks; number++) {
            int refund = number;
            world.add(new Command(
                    "refund " + refund + " is tried again",
                    AccountRole.NAME,
                    3,
                    ONE_SAGA,
                    SYSTEM,
                    (local, shared) -> AccountRole.retryRefund(requireNonNull(local), shared, refund)));
        }
        for (String action : refunds > 0 && blocks ? List.of("RETRY", "PAY_OUT", "RETURN") : List.<String>of()) {
            world.add(resolution(WorkItem.Kind.REFUND_SUSPENDED, action, refunds));
        }
    }

    private void blockCommands(List<Command> world) {
        if (blocks) {
            world.add(payer("blocked", Status.OPEN, Status.BLOCKED));
            world.add(payer("opened again", Status.BLOCKED, Status.OPEN));
            world.add(payer("closed", Status.OPEN, Status.CLOSED));
        }
        if (merchantBlocks) {
            world.add(merchant("blocked", Status.OPEN, Status.BLOCKED));
            world.add(merchant("opened again", Status.BLOCKED, Status.OPEN));
            world.add(resolution(WorkItem.Kind.CAPTURE_SUSPENDED, "RETRY", 1));
            world.add(resolution(WorkItem.Kind.CAPTURE_SUSPENDED, "PAY_OUT", 1));
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
