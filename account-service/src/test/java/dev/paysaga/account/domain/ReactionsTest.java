package dev.paysaga.account.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paysaga.account.domain.Account.Kind;
import dev.paysaga.account.domain.WorkItem.Resolution;
import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.RestockLine;
import dev.paysaga.events.StockReserved;
import dev.paysaga.saga.ImpossibleTransition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole table: every status against every event. Orders here are for 30, merchant "m", wallet "w", takings "t". */
class ReactionsTest {

    static final UUID ORDER = UUID.fromString("019a0000-0000-7000-8000-000000000001");
    static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
    static final AttemptPolicy ATTEMPTS = new AttemptPolicy(NOW, List.of(Duration.ofSeconds(1), Duration.ofSeconds(2)));
    static final List<RestockLine> ONE_TEA = List.of(new RestockLine("tea", 1L));
    static final Terms TERMS = new Terms("m/w", "m/t", "EUR", 30);

    @ParameterizedTest(name = "{0}, wallet {2}, hears {1}: {3}, wallet {4}, moves {5}, says {6}")
    @CsvSource(delimiter = '|', textBlock = """
            # status   | hears           | wallet | becomes    | wallet | moves                 | says
            UNSEEN     | StockReserved   | 50/0   | AUTHORIZED | 50/30  | HOLD m/w m/t 30       | PaymentAuthorized
            UNSEEN     | StockReserved   | 50/21  | FAILED     | 50/21  |                       | PaymentDeclined INSUFFICIENT_FUNDS
            AUTHORIZED | StockReserved   | 50/30  | AUTHORIZED | 50/30  |                       | PaymentAuthorized
            CAPTURED   | StockReserved   | 20/0   | CAPTURED   | 20/0   |                       |
            REFUNDING  | StockReserved   | 20/0   | REFUNDING  | 20/0   |                       |
            REFUNDED   | StockReserved   | 50/0   | REFUNDED   | 50/0   |                       |
            REVERSED   | StockReserved   | 50/0   | REVERSED   | 50/0   |                       | PaymentDeclined ORDER_CANCELED
            FAILED     | StockReserved   | 50/0   | FAILED     | 50/0   |                       | PaymentDeclined INSUFFICIENT_FUNDS
            CANCELED   | StockReserved   | 50/0   | CANCELED   | 50/0   |                       | PaymentDeclined ORDER_CANCELED
            UNSEEN     | OrderConfirmed  | 50/0   | impossible |        |                       |
            AUTHORIZED | OrderConfirmed  | 50/30  | CAPTURED   | 20/0   | CAPTURE m/w m/t 30    | PaymentCaptured
            CAPTURED   | OrderConfirmed  | 20/0   | CAPTURED   | 20/0   |                       | PaymentCaptured
            REFUNDING  | OrderConfirmed  | 20/0   | REFUNDING  | 20/0   |                       | PaymentCaptured
            REFUNDED   | OrderConfirmed  | 50/0   | REFUNDED   | 50/0   |                       | PaymentCaptured
            REVERSED   | OrderConfirmed  | 50/0   | impossible |        |                       |
            FAILED     | OrderConfirmed  | 50/0   | impossible |        |                       |
            CANCELED   | OrderConfirmed  | 50/0   | impossible |        |                       |
            UNSEEN     | OrderCanceled   | 50/0   | CANCELED   | 50/0   |                       | PaymentVoided REFUSED_IN_ADVANCE
            AUTHORIZED | OrderCanceled   | 50/30  | REVERSED   | 50/0   | VOID m/w m/t 30       | PaymentVoided VOIDED
            CAPTURED   | OrderCanceled   | 20/0   | impossible |        |                       |
            REFUNDING  | OrderCanceled   | 20/0   | impossible |        |                       |
            REFUNDED   | OrderCanceled   | 50/0   | impossible |        |                       |
            REVERSED   | OrderCanceled   | 50/0   | REVERSED   | 50/0   |                       | PaymentVoided VOIDED
            FAILED     | OrderCanceled   | 50/0   | FAILED     | 50/0   |                       | PaymentVoided NOTHING_TO_UNDO
            CANCELED   | OrderCanceled   | 50/0   | CANCELED   | 50/0   |                       | PaymentVoided REFUSED_IN_ADVANCE
            UNSEEN     | RefundRequested | 50/0   | impossible |        |                       |
            AUTHORIZED | RefundRequested | 50/30  | impossible |        |                       |
            CAPTURED   | RefundRequested | 20/0   | CAPTURED   | 30/0   | REFUND m/t m/w 10 new | RefundCompleted
            REFUNDING  | RefundRequested | 20/0   | REFUNDING  | 30/0   | REFUND m/t m/w 10 new | RefundCompleted
            REFUNDED   | RefundRequested | 50/0   | REFUNDED   | 50/0   |                       | RefundFailed REFUND_EXCEEDS_CAPTURED
            REVERSED   | RefundRequested | 50/0   | impossible |        |                       |
            FAILED     | RefundRequested | 50/0   | impossible |        |                       |
            CANCELED   | RefundRequested | 50/0   | impossible |        |                       |
            """)
    void reacts(
            Payment.Status status,
            String hears,
            String wallet,
            String becomes,
            String after,
            String moves,
            String says) {
        Payment now = payment(status);
        Parties parties = new Parties(wallet(wallet, "OPEN"), takings("OPEN"));
        if (becomes.equals("impossible")) {
            assertThatExceptionOfType(ImpossibleTransition.class).isThrownBy(() -> hear(hears, now, parties));
            return;
        }
        Decision decision = hear(hears, now, parties);
        assertThat(decision.payment().status()).hasToString(becomes);
        assertThat(balance(decision)).isEqualTo(after);
        assertThat(moves(decision)).isEqualTo(orEmpty(moves));
        assertThat(says(decision)).isEqualTo(orEmpty(says));
        assertThat(decision.payment().version())
                .as("a version for every change, and for nothing else")
                .isEqualTo(decision.payment().equals(now) ? now.version() : now.version() + 1);
    }

    @ParameterizedTest(name = "payer {0} in {1}, {2} of 30; merchant {3}: {4}")
    @CsvSource(delimiter = '|', textBlock = """
            # payer | currency | wallet | takings | reason
            none    | EUR      | 50/0   | OPEN    | UNKNOWN_ACCOUNT
            foreign | EUR      | 50/0   | OPEN    | UNKNOWN_ACCOUNT
            takings | EUR      | 50/0   | OPEN    | UNKNOWN_ACCOUNT
            none    | EUR      | 50/0   | none    | UNKNOWN_ACCOUNT
            BLOCKED | EUR      | 50/0   | OPEN    | ACCOUNT_BLOCKED
            BLOCKED | USD      | 20/0   | none    | ACCOUNT_BLOCKED
            CLOSED  | EUR      | 50/0   | OPEN    | ACCOUNT_CLOSED
            OPEN    | USD      | 50/0   | OPEN    | CURRENCY_MISMATCH
            OPEN    | USD      | 50/0   | none    | CURRENCY_MISMATCH
            OPEN    | EUR      | 50/0   | none    | UNKNOWN_MERCHANT_ACCOUNT
            OPEN    | EUR      | 20/0   | none    | UNKNOWN_MERCHANT_ACCOUNT
            OPEN    | EUR      | 50/0   | BLOCKED | ACCOUNT_BLOCKED
            OPEN    | EUR      | 50/0   | CLOSED  | ACCOUNT_CLOSED
            OPEN    | EUR      | 29/0   | OPEN    | INSUFFICIENT_FUNDS
            OPEN    | EUR      | 59/30  | OPEN    | INSUFFICIENT_FUNDS
            """)
    void declinesForExactlyOneReasonAndGivesItAgain(
            String payer, String currency, String wallet, String takings, String reason) {
        Account account = switch (payer) {
            case "none" -> null;
            case "foreign" -> new Account("n", "w", Kind.WALLET, "EUR", Account.Status.OPEN, 50, 0);
            case "takings" -> Account.open("m", "w", Kind.MERCHANT, "EUR");
            default -> wallet(currency, wallet, payer);
        };
        var parties = new Parties(account, takings.equals("none") ? null : takings(takings));

        Decision decision = Reactions.on(stockReserved(30), Payment.unseen(ORDER), parties);

        assertThat(decision.payment().status()).isEqualTo(Payment.Status.FAILED);
        assertThat(says(decision)).isEqualTo("PaymentDeclined " + reason);
        assertThat(decision.transfers()).isEmpty();
        assertThat(decision.parties()).isEqualTo(parties);
        assertThat(Reactions.on(stockReserved(30), decision.payment(), parties).events())
                .isEqualTo(decision.events());
    }

    @ParameterizedTest(name = "payer {0}, merchant {1}: the capture credits {2}, {3}")
    @CsvSource(delimiter = '|', textBlock = """
            # payer | merchant | moves                         | says
            OPEN    | OPEN     | CAPTURE m/w m/t 30            | PaymentCaptured
            BLOCKED | OPEN     | CAPTURE m/w m/t 30            | PaymentCaptured
            CLOSED  | OPEN     | CAPTURE m/w m/t 30            | PaymentCaptured
            OPEN    | BLOCKED  | CAPTURE m/w ~/SUSPENSE-EUR 30 | PaymentCaptured, WorkOrderOpened CAPTURE_SUSPENDED
            BLOCKED | CLOSED   | CAPTURE m/w ~/SUSPENSE-EUR 30 | PaymentCaptured, WorkOrderOpened CAPTURE_SUSPENDED
            """)
    void capturesWhateverThePayersStatus(String payer, String merchant, String moves, String says) {
        var parties = new Parties(wallet("50/30", payer), takings(merchant));
        Decision decision = hear("OrderConfirmed", payment(Payment.Status.AUTHORIZED), parties);
        assertThat(balance(decision)).isEqualTo("20/0");
        assertThat(moves(decision)).isEqualTo(moves);
        assertThat(says(decision)).isEqualTo(says);
        assertThat(decision.workItems()).hasSize(merchant.equals("OPEN") ? 0 : 1);
        assertThat(decision.workItems()).allMatch(item -> item.suspended() == 30 && item.isOpen());
    }

    @ParameterizedTest(name = "payer {2}, merchant {3}, refund {0}, {1}: {4}, payment {5}, moves {6}, says {7}")
    @CsvSource(delimiter = '|', textBlock = """
            # refund  | hears           | payer   | merchant | becomes    | payment   | moves                          | says
            NEW       | RefundRequested | OPEN    | OPEN     | COMPLETED  | CAPTURED  | REFUND m/t m/w 10 r            | RefundCompleted
            NEW       | RefundRequested | OPEN    | CLOSED   | COMPLETED  | CAPTURED  | REFUND m/t m/w 10 r            | RefundCompleted
            NEW       | RefundRequested | BLOCKED | OPEN     | TRYING     | REFUNDING |                                |
            NEW       | RefundRequested | CLOSED  | OPEN     | TRYING     | REFUNDING |                                |
            NEW       | RefundRequested | full    | OPEN     | TRYING     | REFUNDING |                                |
            TRYING    | RefundRequested | BLOCKED | OPEN     | TRYING     | REFUNDING |                                |
            TRYING    | RefundRequested | OPEN    | OPEN     | TRYING     | REFUNDING |                                |
            COMPLETED | RefundRequested | OPEN    | OPEN     | COMPLETED  | CAPTURED  |                                | RefundCompleted
            FAILED    | RefundRequested | OPEN    | OPEN     | FAILED     | CAPTURED  |                                | RefundFailed REFUND_EXCEEDS_CAPTURED
            SUSPENDED | RefundRequested | OPEN    | OPEN     | SUSPENDED  | REFUNDING |                                | RefundSuspended ACCOUNT_BLOCKED
            PAID_OUT  | RefundRequested | OPEN    | OPEN     | PAID_OUT   | CAPTURED  |                                | RefundCompleted
            RETURNED  | RefundRequested | OPEN    | OPEN     | RETURNED   | CAPTURED  |                                | RefundFailed RETURNED_TO_MERCHANT
            NEW       | due             | OPEN    | OPEN     |            | CAPTURED  |                                |
            TRYING    | due             | OPEN    | OPEN     | COMPLETED  | CAPTURED  | REFUND m/t m/w 10 r            | RefundCompleted
            TRYING    | due             | BLOCKED | OPEN     | TRYING     | REFUNDING |                                |
            LAST      | due             | OPEN    | OPEN     | COMPLETED  | CAPTURED  | REFUND m/t m/w 10 r            | RefundCompleted
            LAST      | due             | BLOCKED | OPEN     | SUSPENDED  | REFUNDING | SUSPEND m/t ~/SUSPENSE-EUR 10 r | RefundSuspended ACCOUNT_BLOCKED, WorkOrderOpened REFUND_SUSPENDED
            LAST      | due             | CLOSED  | BLOCKED  | SUSPENDED  | REFUNDING | SUSPEND m/t ~/SUSPENSE-EUR 10 r | RefundSuspended ACCOUNT_CLOSED, WorkOrderOpened REFUND_SUSPENDED
            LAST      | due             | full    | OPEN     | SUSPENDED  | REFUNDING | SUSPEND m/t ~/SUSPENSE-EUR 10 r | RefundSuspended BALANCE_LIMIT, WorkOrderOpened REFUND_SUSPENDED
            COMPLETED | due             | OPEN    | OPEN     | COMPLETED  | CAPTURED  |                                |
            FAILED    | due             | OPEN    | OPEN     | FAILED     | CAPTURED  |                                |
            SUSPENDED | due             | OPEN    | OPEN     | SUSPENDED  | REFUNDING |                                |
            PAID_OUT  | due             | OPEN    | OPEN     | PAID_OUT   | CAPTURED  |                                |
            RETURNED  | due             | OPEN    | OPEN     | RETURNED   | CAPTURED  |                                |
            NEW       | RETRY           | OPEN    | OPEN     | impossible |           |                                |
            TRYING    | RETRY           | OPEN    | OPEN     | impossible |           |                                |
            COMPLETED | RETRY           | OPEN    | OPEN     | impossible |           |                                |
            FAILED    | RETRY           | OPEN    | OPEN     | impossible |           |                                |
            SUSPENDED | RETRY           | OPEN    | OPEN     | PAID_OUT   | CAPTURED  | PAY_OUT ~/SUSPENSE-EUR m/w 10 r | RefundCompleted, WorkOrderResolved RETRY
            SUSPENDED | RETRY           | BLOCKED | OPEN     | SUSPENDED  | REFUNDING |                                | WorkOrderOpened REFUND_SUSPENDED
            SUSPENDED | RETRY           | CLOSED  | OPEN     | SUSPENDED  | REFUNDING |                                | WorkOrderOpened REFUND_SUSPENDED
            SUSPENDED | RETRY           | full    | OPEN     | SUSPENDED  | REFUNDING |                                | WorkOrderOpened REFUND_SUSPENDED
            SUSPENDED | PAY_OUT         | CLOSED  | CLOSED   | PAID_OUT   | CAPTURED  | PAY_OUT ~/SUSPENSE-EUR ~/EXTERNAL-EUR 10 r | RefundCompleted, WorkOrderResolved PAY_OUT
            SUSPENDED | RETURN          | BLOCKED | OPEN     | RETURNED   | CAPTURED  | RETURN ~/SUSPENSE-EUR m/t 10 r | RefundFailed RETURNED_TO_MERCHANT, WorkOrderResolved RETURN
            SUSPENDED | RETURN          | OPEN    | CLOSED   | SUSPENDED  | REFUNDING |                                | WorkOrderOpened REFUND_SUSPENDED
            SUSPENDED | RESEND          | OPEN    | OPEN     | impossible |           |                                |
            SUSPENDED | WRITE_OFF       | OPEN    | OPEN     | impossible |           |                                |
            PAID_OUT  | RETURN          | OPEN    | OPEN     | PAID_OUT   | CAPTURED  |                                | RefundCompleted, WorkOrderResolved PAY_OUT
            RETURNED  | PAY_OUT         | OPEN    | OPEN     | RETURNED   | CAPTURED  |                                | RefundFailed RETURNED_TO_MERCHANT, WorkOrderResolved RETURN
            """)
    void refunds(
            String refund,
            String hears,
            String payer,
            String merchant,
            String becomes,
            String payment,
            String moves,
            String says) {
        Payment now = withRefund(refund);
        var parties = new Parties(
                payer.equals("full") ? wallet(Long.MAX_VALUE - 9 + "/0", "OPEN") : wallet("20/0", payer),
                takings(merchant));
        if ("impossible".equals(becomes)) {
            assertThatExceptionOfType(ImpossibleTransition.class)
                    .isThrownBy(() -> hearOfRefund(hears, refund, now, parties));
            return;
        }
        Decision decision = hearOfRefund(hears, refund, now, parties);
        assertThat(decision.payment().refund("r").map(r -> r.status().name()).orElse(""))
                .isEqualTo(orEmpty(becomes));
        assertThat(decision.payment().status()).hasToString(payment);
        assertThat(moves(decision)).isEqualTo(orEmpty(moves));
        assertThat(says(decision)).isEqualTo(orEmpty(says));
    }

    @ParameterizedTest(name = "{0} {1}, merchant {3}: moves {4}, says {5}")
    @CsvSource(delimiter = '|', textBlock = """
            # kind            | action    | payment    | merchant | moves                                  | says
            CAPTURE_SUSPENDED | RETRY     | CAPTURED   | OPEN     | RETURN ~/SUSPENSE-EUR m/t 30           | WorkOrderResolved RETRY
            CAPTURE_SUSPENDED | RETRY     | CAPTURED   | CLOSED   |                                        | WorkOrderOpened CAPTURE_SUSPENDED
            CAPTURE_SUSPENDED | PAY_OUT   | CAPTURED   | CLOSED   | PAY_OUT ~/SUSPENSE-EUR ~/EXTERNAL-EUR 30 | WorkOrderResolved PAY_OUT
            CAPTURE_SUSPENDED | RETURN    | CAPTURED   | OPEN     | impossible                             |
            HOLD_UNDECIDED    | RESEND    | AUTHORIZED | OPEN     |                                        | PaymentAuthorized, WorkOrderResolved RESEND
            HOLD_UNDECIDED    | RESEND    | CAPTURED   | OPEN     |                                        | WorkOrderResolved RESEND
            HOLD_UNDECIDED    | RESEND    | REVERSED   | OPEN     |                                        | WorkOrderResolved RESEND
            HOLD_UNDECIDED    | WRITE_OFF | AUTHORIZED | OPEN     | impossible                             |
            """)
    void resolvesOtherWorkOrders(
            WorkItem.Kind kind, String action, Payment.Status status, String merchant, String moves, String says) {
        boolean money = kind == WorkItem.Kind.CAPTURE_SUSPENDED;
        WorkItem item = WorkItem.open(kind, payment(Payment.Status.CAPTURED), null, money ? 30 : 0, "why");
        Payment now = payment(status);
        var parties = new Parties(wallet("50/30", "OPEN"), takings(merchant));
        var command = resolve(item, action, null, money ? 30L : null);
        if ("impossible".equals(moves)) {
            assertThatExceptionOfType(ImpossibleTransition.class)
                    .isThrownBy(() -> Reactions.resolve(command, item, now, parties));
            return;
        }
        Decision decision = Reactions.resolve(command, item, now, parties);
        assertThat(moves(decision)).isEqualTo(orEmpty(moves));
        assertThat(says(decision)).isEqualTo(says);
        assertThat(decision.payment()).isEqualTo(now);
        for (WorkItem closed : decision.workItems()) {
            Decision again = Reactions.resolve(command, closed, decision.payment(), decision.parties());
            assertThat(again.transfers()).as("resolved once").isEmpty();
            assertThat(says(again)).isEqualTo("WorkOrderResolved " + action);
        }
    }

    @Test
    void aWorkOrderIsResolvedForItsOwnOrderRefundAndAmountOnly() {
        Payment now = withRefund("SUSPENDED");
        WorkItem item = WorkItem.open(WorkItem.Kind.REFUND_SUSPENDED, now, "r", 10, "why");
        var parties = new Parties(wallet("20/0", "OPEN"), takings("OPEN"));
        var wrong = List.of(
                resolve(item, "RETRY", "other", 10L),
                resolve(item, "RETRY", "r", 11L),
                new ResolveWorkOrder(item.id(), ORDER, "n", "RETRY", "r", 10L, "ops", null, null),
                new ResolveWorkOrder(item.id(), new UUID(1, 1), "m", "RETRY", "r", 10L, "ops", null, null));
        assertThat(wrong)
                .allSatisfy(command -> assertThatExceptionOfType(ImpossibleTransition.class)
                        .isThrownBy(() -> Reactions.resolve(command, item, now, parties)));
        assertThat(Reactions.resolve(resolve(item, "RETRY", "r", 10L), null, now, parties))
                .as("another service's work order")
                .isEqualTo(Decision.of(now, parties));
    }

    @Test
    void anOverdueHoldAsksAPersonWhileItIsUndecided() {
        for (Payment.Status status : Payment.Status.values()) {
            Decision decision = Reactions.holdOverdue(payment(status), Parties.NONE);
            assertThat(says(decision))
                    .isEqualTo(status == Payment.Status.AUTHORIZED ? "WorkOrderOpened HOLD_UNDECIDED" : "");
            assertThat(decision.payment()).isEqualTo(payment(status));
        }
    }

    @Test
    void suspendedAndTriedRefundsCountAgainstWhatWasCaptured() {
        var parties = new Parties(wallet("20/0", "OPEN"), takings("OPEN"));
        for (String open : List.of("TRYING", "SUSPENDED", "COMPLETED", "PAID_OUT")) {
            assertThat(says(Reactions.on(refundRequested("new", 21), withRefund(open), parties, ATTEMPTS)))
                    .as(open)
                    .isEqualTo("RefundFailed REFUND_EXCEEDS_CAPTURED");
        }
        for (String over : List.of("FAILED", "RETURNED")) {
            assertThat(says(Reactions.on(refundRequested("new", 30), withRefund(over), parties, ATTEMPTS)))
                    .as(over)
                    .isEqualTo("RefundCompleted");
        }
        assertThat(says(Reactions.on(
                        refundRequested("new", Long.MAX_VALUE), withRefund("COMPLETED"), parties, ATTEMPTS)))
                .isEqualTo("RefundFailed REFUND_EXCEEDS_CAPTURED");
    }

    @Test
    void aRefusedRefundIsTriedThreeTimesInAllAndDueByThePolicy() {
        var blocked = new Parties(wallet("20/0", "BLOCKED"), takings("OPEN"));
        Payment first = Reactions.on(refundRequested("r", 10), payment(Payment.Status.CAPTURED), blocked, ATTEMPTS)
                .payment();
        assertThat(first.refund("r").orElseThrow().nextAttemptAt()).isEqualTo(NOW.plusSeconds(1));
        Payment second = Reactions.retryRefund("r", first, blocked, ATTEMPTS).payment();
        assertThat(second.refund("r").orElseThrow().nextAttemptAt()).isEqualTo(NOW.plusSeconds(2));
        PaymentRefund third = Reactions.retryRefund("r", second, blocked, ATTEMPTS)
                .payment()
                .refund("r")
                .orElseThrow();
        assertThat(third.status()).isEqualTo(PaymentRefund.Status.SUSPENDED);
        assertThat(third.attempts()).isEqualTo(3);
        assertThat(third.nextAttemptAt()).isNull();
    }

    @Test
    void oneRefundNumberIsOneRefund() {
        var parties = new Parties(wallet("20/0", "OPEN"), takings("OPEN"));
        assertThatExceptionOfType(ImpossibleTransition.class)
                .isThrownBy(() -> Reactions.on(refundRequested("r", 11), withRefund("COMPLETED"), parties, ATTEMPTS));
    }

    @Test
    void aRefundOfTheWholeAmountEndsRefundedAndHandsItsRestockOn() {
        var parties = new Parties(wallet("20/0", "OPEN"), takings("OPEN"));
        Decision decision = Reactions.on(refundRequested("r", 30), payment(Payment.Status.CAPTURED), parties, ATTEMPTS);
        assertThat(decision.payment().status()).isEqualTo(Payment.Status.REFUNDED);
        assertThat(decision.payment().refundedAmount()).isEqualTo(30);
        assertThat(decision.events()).containsExactly(new RefundCompleted(ORDER, "m", "r", "EUR", 30L, ONE_TEA));
    }

    @ParameterizedTest
    @CsvSource({"0", "-1"})
    void noOrderIsAboutNothing(long amount) {
        var parties = new Parties(wallet("50/0", "OPEN"), takings("OPEN"));
        assertThatExceptionOfType(ImpossibleTransition.class)
                .isThrownBy(() -> Reactions.on(stockReserved(amount), Payment.unseen(ORDER), parties));
        assertThatExceptionOfType(ImpossibleTransition.class)
                .isThrownBy(() -> Reactions.on(
                        refundRequested("r", amount), payment(Payment.Status.CAPTURED), parties, ATTEMPTS));
    }

    @Test
    void theLargestAmountIsHeldCapturedAndPaidBackToTheUnit() {
        var parties = new Parties(wallet(Long.MAX_VALUE + "/0", "OPEN"), takings("OPEN"));
        Decision held = Reactions.on(stockReserved(Long.MAX_VALUE), Payment.unseen(ORDER), parties);
        assertThat(balance(held)).isEqualTo(Long.MAX_VALUE + "/" + Long.MAX_VALUE);
        Decision captured = hear("OrderConfirmed", held.payment(), held.parties());
        assertThat(balance(captured)).isEqualTo("0/0");
        Decision refunded =
                Reactions.on(refundRequested("r", Long.MAX_VALUE), captured.payment(), captured.parties(), ATTEMPTS);
        assertThat(balance(refunded)).isEqualTo(Long.MAX_VALUE + "/0");
    }

    // ---- given ----

    static Payment payment(Payment.Status status) {
        return switch (status) {
            case UNSEEN -> Payment.unseen(ORDER);
            case CANCELED -> new Payment(ORDER, "m", status, null, null, List.of(), 1);
            case FAILED -> new Payment(ORDER, "m", status, TERMS, Reasons.INSUFFICIENT_FUNDS, List.of(), 1);
            case REFUNDING -> withRefund("TRYING", "earlier", 20);
            case REFUNDED -> withRefund("COMPLETED", "earlier", 30);
            default -> new Payment(ORDER, "m", status, TERMS, null, List.of(), 1);
        };
    }

    static Payment withRefund(String refund) {
        return withRefund(refund, "r", 10);
    }

    private static Payment withRefund(String refund, String refundNo, long amount) {
        boolean last = refund.equals("LAST");
        if (refund.equals("NEW")) {
            return payment(Payment.Status.CAPTURED);
        }
        var status = last ? PaymentRefund.Status.TRYING : PaymentRefund.Status.valueOf(refund);
        var reason = switch (status) {
            case COMPLETED -> null;
            case FAILED -> Reasons.REFUND_EXCEEDS_CAPTURED;
            case RETURNED -> Reasons.RETURNED_TO_MERCHANT;
            default -> Reasons.ACCOUNT_BLOCKED;
        };
        var row = new PaymentRefund(
                refundNo,
                amount,
                ONE_TEA,
                status,
                last ? 2 : status == PaymentRefund.Status.TRYING ? 1 : 0,
                status == PaymentRefund.Status.TRYING ? NOW : null,
                reason);
        var next = row.isOpen()
                ? Payment.Status.REFUNDING
                : row.isPaid() && amount == 30 ? Payment.Status.REFUNDED : Payment.Status.CAPTURED;
        return new Payment(ORDER, "m", next, TERMS, null, List.of(row), 2);
    }

    private static @Nullable Account wallet(String balance, String status) {
        return wallet("EUR", balance, status);
    }

    private static Account wallet(String currency, String balance, String status) {
        String[] parts = balance.split("/");
        return new Account(
                "m",
                "w",
                Kind.WALLET,
                currency,
                Account.Status.valueOf(status),
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]));
    }

    private static Account takings(String status) {
        return Account.open("m", "t", Kind.MERCHANT, "EUR").with(Account.Status.valueOf(status));
    }

    // ---- when ----

    private static Decision hear(String event, Payment now, Parties parties) {
        return switch (event) {
            case "StockReserved" -> Reactions.on(stockReserved(30), now, parties);
            case "OrderConfirmed" -> Reactions.on(new OrderConfirmed(ORDER, "m"), now, parties);
            case "OrderCanceled" -> Reactions.on(new OrderCanceled(ORDER, "m", "TIMED_OUT"), now, parties);
            case "RefundRequested" -> Reactions.on(refundRequested("new", 10), now, parties, ATTEMPTS);
            default -> throw new IllegalArgumentException(event);
        };
    }

    private static Decision hearOfRefund(String event, String refund, Payment now, Parties parties) {
        return switch (event) {
            case "RefundRequested" -> Reactions.on(refundRequested("r", 10), now, parties, ATTEMPTS);
            case "due" -> Reactions.retryRefund("r", now, parties, ATTEMPTS);
            default -> {
                WorkItem item = WorkItem.open(WorkItem.Kind.REFUND_SUSPENDED, now, "r", 10, "why");
                WorkItem known = switch (refund) {
                    case "PAID_OUT" -> item.resolved(new Resolution("PAY_OUT", "ops", null));
                    case "RETURNED" -> item.resolved(new Resolution("RETURN", "ops", null));
                    default -> item;
                };
                yield Reactions.resolve(resolve(item, event, "r", 10L), known, now, parties);
            }
        };
    }

    private static StockReserved stockReserved(long amount) {
        return new StockReserved(ORDER, "m", "w", "EUR", amount, List.of(new OrderLine("tea", 1L, amount)));
    }

    private static RefundRequested refundRequested(String refundNo, long amount) {
        return new RefundRequested(ORDER, "m", refundNo, "EUR", amount, null, ONE_TEA);
    }

    private static ResolveWorkOrder resolve(
            WorkItem item, String action, @Nullable String refundNo, @Nullable Long amount) {
        return new ResolveWorkOrder(item.id(), ORDER, "m", action, refundNo, amount, "ops", null, null);
    }

    // ---- then ----

    private static String balance(Decision decision) {
        Account payer = decision.parties().knownPayer();
        return payer.posted() + "/" + payer.held();
    }

    private static String moves(Decision decision) {
        return decision.transfers().stream()
                .map(t -> t.kind() + " " + t.debitAccount() + " " + t.creditAccount() + " " + t.amount()
                        + (t.refundNo() == null ? "" : " " + t.refundNo()))
                .collect(Collectors.joining(", "));
    }

    private static String says(Decision decision) {
        return decision.events().stream().map(ReactionsTest::sentence).collect(Collectors.joining(", "));
    }

    /** The event's name and the word in it that matters. */
    private static String sentence(SpecificRecord event) {
        var words = new ArrayList<String>(List.of(event.getSchema().getName()));
        for (String field : List.of("reason", "outcome", "kind", "action")) {
            var known = event.getSchema().getField(field);
            if (known != null) {
                words.add(String.valueOf(event.get(known.pos())));
            }
        }
        return String.join(" ", words);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
