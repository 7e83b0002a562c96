package dev.paysaga.account.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paysaga.account.domain.Account.Kind;
import dev.paysaga.account.domain.Adjustments.Known;
import dev.paysaga.account.domain.WorkItem.Resolution;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.saga.ImpossibleTransition;
import java.math.BigInteger;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole table: what is known of a difference against both commands. Merchant "m", wallet "w", takings "t". */
class AdjustmentsTest {

    static final UUID ASKED = new UUID(7, 7);
    static final UUID ABOUT = new UUID(8, 8);

    @ParameterizedTest(name = "{0}, {1}: moves {2}, says {3}")
    @CsvSource(delimiter = '|', textBlock = """
            # known      | command   | moves                                   | says
            NEW          | POST      | ADJUSTMENT m/w ~/SUSPENSE-EUR 10        | WorkOrderOpened DIFFERENCE_SUSPENDED 10
            SUSPENDED    | POST      |                                         | WorkOrderOpened DIFFERENCE_SUSPENDED 10
            RETURNED     | POST      |                                         | WorkOrderResolved RETURN
            PAID_OUT     | POST      |                                         | WorkOrderResolved PAY_OUT
            NOT_POSTED   | POST      |                                         | WorkOrderOpened DIFFERENCE_NOT_POSTED
            WRITTEN_OFF  | POST      |                                         | WorkOrderResolved WRITE_OFF
            SUSPENDED    | RETURN    | RETURN ~/SUSPENSE-EUR m/w 10            | WorkOrderResolved RETURN
            SUSPENDED    | PAY_OUT   | PAY_OUT ~/SUSPENSE-EUR ~/EXTERNAL-EUR 10 | WorkOrderResolved PAY_OUT
            SUSPENDED    | PAY_TO    | PAY_OUT ~/SUSPENSE-EUR m/t 10           | WorkOrderResolved PAY_OUT
            SUSPENDED    | WRITE_OFF | impossible                              |
            SUSPENDED    | RETRY     | impossible                              |
            RETURNED     | RETURN    |                                         | WorkOrderResolved RETURN
            RETURNED     | PAY_OUT   |                                         | WorkOrderResolved RETURN
            PAID_OUT     | RETURN    |                                         | WorkOrderResolved PAY_OUT
            NOT_POSTED   | WRITE_OFF |                                         | WorkOrderResolved WRITE_OFF
            NOT_POSTED   | RETURN    | impossible                              |
            NOT_POSTED   | PAY_OUT   | impossible                              |
            WRITTEN_OFF  | WRITE_OFF |                                         | WorkOrderResolved WRITE_OFF
            """)
    void reacts(String known, String command, String moves, String says) {
        if ("impossible".equals(moves)) {
            assertThatExceptionOfType(ImpossibleTransition.class).isThrownBy(() -> hear(command, known));
            return;
        }
        Adjusted adjusted = hear(command, known);
        assertThat(moves(adjusted)).isEqualTo(orEmpty(moves));
        assertThat(says(adjusted)).isEqualTo(says);
        if (adjusted.transfers().isEmpty()) {
            assertThat(adjusted.purse()).as("nothing moves").isNull();
        }
    }

    @ParameterizedTest(name = "{0} {1}, wallet {2}, {3}: moves {4}, wallet {5}")
    @CsvSource(delimiter = '|', textBlock = """
            # account | amount | wallet | status  | moves or why not                  | wallet
            m/w       | 10     | 50/40  | OPEN    | ADJUSTMENT m/w ~/SUSPENSE-EUR 10  | 40/40
            m/w       | 11     | 50/40  | OPEN    | INSUFFICIENT_FUNDS                |
            m/w       | 10     | 50/40  | BLOCKED | ADJUSTMENT m/w ~/SUSPENSE-EUR 10  | 40/40
            m/w       | 50     | 50/0   | CLOSED  | ADJUSTMENT m/w ~/SUSPENSE-EUR 50  | 0/0
            m/w       | -10    | 50/40  | OPEN    | ADJUSTMENT ~/SUSPENSE-EUR m/w 10  | 60/40
            m/w       | -10    | 50/40  | BLOCKED | ACCOUNT_BLOCKED                   |
            m/w       | -10    | 50/0   | CLOSED  | ACCOUNT_CLOSED                    |
            m/w       | -10    | 9223372036854775800/0 | OPEN | BALANCE_LIMIT         |
            m/t       | 70     | 50/0   | OPEN    | ADJUSTMENT m/t ~/SUSPENSE-EUR 70  |
            m/t       | 71     | 50/0   | OPEN    | INSUFFICIENT_FUNDS                |
            m/t       | -10    | 50/0   | OPEN    | ADJUSTMENT ~/SUSPENSE-EUR m/t 10  |
            m/t       | -10    | 50/0   | CLOSED  | ACCOUNT_CLOSED                    |
            m/nobody  | 10     | 50/0   | OPEN    | UNKNOWN_ACCOUNT                   |
            m/w       | 0      | 50/0   | OPEN    | INVALID_AMOUNT                    |
            m/w       | -9223372036854775808 | 50/0 | OPEN | INVALID_AMOUNT             |
            """)
    void postsWhatIsThereAndTellsAPersonWhatIsNot(
            String account, long amount, String wallet, String status, String outcome, @Nullable String after) {
        Purse purse = switch (account) {
            case "m/w" -> Purse.of(wallet(wallet, status));
            case "m/t" -> takings(status);
            default -> null;
        };
        Adjusted adjusted = Adjustments.on(post(ASKED, account, "EUR", amount), Known.NOTHING, purse);
        if (!outcome.startsWith("ADJUSTMENT")) {
            assertThat(adjusted.transfers()).isEmpty();
            assertThat(says(adjusted)).isEqualTo("WorkOrderOpened DIFFERENCE_NOT_POSTED");
            assertThat(adjusted.workItems()).singleElement().satisfies(item -> {
                assertThat(item.detail()).contains(outcome, account, "alice");
                assertThat(item.suspended()).isZero();
            });
            return;
        }
        assertThat(moves(adjusted)).isEqualTo(outcome);
        assertThat(says(adjusted)).isEqualTo("WorkOrderOpened DIFFERENCE_SUSPENDED " + amount);
        assertThat(adjusted.workItems())
                .singleElement()
                .satisfies(item -> assertThat(item.suspended()).isEqualTo(amount));
        if (after != null) {
            Account now = adjusted.purse().account();
            assertThat(now.posted() + "/" + now.held()).isEqualTo(after);
        }
    }

    @ParameterizedTest(name = "{0} in suspense, {1}, account {2}: moves {3}, says {4}")
    @CsvSource(delimiter = '|', textBlock = """
            # in suspense | command | account     | moves                                    | says
            10            | RETURN  | 50/0 OPEN   | RETURN ~/SUSPENSE-EUR m/w 10             | WorkOrderResolved RETURN
            10            | RETURN  | 50/0 CLOSED |                                          | WorkOrderOpened DIFFERENCE_SUSPENDED 10
            10            | PAY_TO  | none        |                                          | WorkOrderOpened DIFFERENCE_SUSPENDED 10
            10            | PAY_TO  | USD         |                                          | WorkOrderOpened DIFFERENCE_SUSPENDED 10
            -10           | RETURN  | 10/0 CLOSED | RETURN m/w ~/SUSPENSE-EUR 10             | WorkOrderResolved RETURN
            -10           | RETURN  | 50/41 OPEN  |                                          | WorkOrderOpened DIFFERENCE_SUSPENDED -10
            -10           | PAY_OUT | 0/0 OPEN    | PAY_OUT ~/EXTERNAL-EUR ~/SUSPENSE-EUR 10 | WorkOrderResolved PAY_OUT
            -10           | PAY_TO  | 50/0 OPEN   | PAY_OUT m/w ~/SUSPENSE-EUR 10            | WorkOrderResolved PAY_OUT
            """)
    void settlesWhatIsInSuspenseOrMissingThere(
            long suspended, String command, String account, String moves, String says) {
        WorkItem item = suspended(suspended);
        Purse purse = switch (account) {
            case "none" -> null;
            case "USD" -> Purse.of(Account.open("m", "w", Kind.WALLET, "USD"));
            default -> Purse.of(wallet(account.split(" ")[0], account.split(" ")[1]));
        };
        boolean named = command.equals("PAY_TO");
        var decision = resolve(item, named ? "PAY_OUT" : command, named ? "m/w" : null);

        Adjusted adjusted = Adjustments.resolve(decision, item, purse, purse);

        assertThat(moves(adjusted)).isEqualTo(orEmpty(moves));
        assertThat(says(adjusted)).isEqualTo(says);
        WorkItem after = adjusted.workItems().getFirst();
        assertThat(after.isOpen()).isEqualTo(moves == null);
        if (after.isOpen()) {
            assertThat(after.detail()).as("why not, and the question").contains("refused: ", "\nwhy");
            assertThat(Adjustments.resolve(decision, after, purse, purse)
                            .workItems()
                            .getFirst()
                            .detail())
                    .as("the question is not lost, and does not grow")
                    .isEqualTo(after.detail());
        } else {
            assertThat(moves(Adjustments.resolve(decision, after, purse, purse)))
                    .as("resolved once")
                    .isEmpty();
        }
    }

    @Test
    void idsFollowFromTheWorkOrderThatAPersonResolved() {
        PostToSuspense command = post(ASKED, "m/w", "EUR", 10);
        Adjusted once = Adjustments.on(command, Known.NOTHING, Purse.of(wallet("50/0", "OPEN")));
        Adjusted again = Adjustments.on(command, Known.NOTHING, Purse.of(wallet("40/0", "OPEN")));
        Adjusted other =
                Adjustments.on(post(new UUID(7, 9), "m/w", "EUR", 10), Known.NOTHING, Purse.of(wallet("40/0", "OPEN")));

        assertThat(again.transfers()).isEqualTo(once.transfers());
        assertThat(again.workItems()).isEqualTo(once.workItems());
        assertThat(other.transfers().getFirst().id())
                .isNotEqualTo(once.transfers().getFirst().id());
        assertThat(once.transfers().getFirst().workOrderId())
                .isEqualTo(once.workItems().getFirst().id());
    }

    @Test
    void oneWorkOrderIsOnePosting() {
        Known known = new Known(null, suspended(10), null);
        var others = List.of(
                post(ASKED, "m/w", "EUR", 11),
                post(ASKED, "m/w", "USD", 10),
                new PostToSuspense(ASKED, new UUID(1, 1), "m", "m/w", null, "EUR", 10L, "alice", null));
        assertThat(others)
                .allSatisfy(command -> assertThatExceptionOfType(ImpossibleTransition.class)
                        .isThrownBy(() -> Adjustments.on(command, known, Purse.of(wallet("50/0", "OPEN")))));
    }

    @Test
    void whatCouldNotBePostedIsPostedFromItsOwnWorkOrder() {
        WorkItem refused = known("NOT_POSTED").refused();
        PostToSuspense better = post(refused.id(), "m/w", "EUR", 10);
        Known known = new Known(refused, null, null);

        Adjusted still = Adjustments.on(better, known, Purse.of(wallet("9/0", "OPEN")));
        assertThat(still.transfers()).isEmpty();
        assertThat(still.workItems()).singleElement().satisfies(item -> {
            assertThat(item.id()).isEqualTo(refused.id());
            assertThat(item.detail())
                    .startsWith("alice decided")
                    .contains("INSUFFICIENT_FUNDS", "\n" + refused.detail());
        });

        Adjusted posted = Adjustments.on(better, known, Purse.of(wallet("10/0", "OPEN")));
        assertThat(moves(posted)).isEqualTo("ADJUSTMENT m/w ~/SUSPENSE-EUR 10");
        assertThat(says(posted))
                .isEqualTo("WorkOrderOpened DIFFERENCE_SUSPENDED 10, WorkOrderResolved POST_TO_SUSPENSE");
        Known closed = new Known(posted.workItems().get(1), posted.workItems().getFirst(), null);
        assertThat(Adjustments.on(better, closed, Purse.of(wallet("10/0", "OPEN")))
                        .transfers())
                .isEmpty();
        assertThatExceptionOfType(ImpossibleTransition.class)
                .as("no other work order is resolved by a posting")
                .isThrownBy(() ->
                        Adjustments.on(better, new Known(suspended(10), null, null), Purse.of(wallet("10/0", "OPEN"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PAYER m/w", "MERCHANT m/t", "NEITHER null"})
    void anAccountIsNamedOrIsOneOfTheOrders(String sideAndAccount) {
        String[] words = sideAndAccount.split(" ");
        var terms = new Terms("m/w", "m/t", "EUR", 30);
        Payment payment = new Payment(ABOUT, "m", Payment.Status.CAPTURED, terms, null, List.of(), 1);
        var byMerchant = new PostToSuspense(ASKED, ABOUT, "m", null, words[0], "EUR", 10L, "alice", null);
        var byAnother = new PostToSuspense(ASKED, ABOUT, "n", null, words[0], "EUR", 10L, "alice", null);

        assertThat(String.valueOf(Adjustments.account(byMerchant, payment))).isEqualTo(words[1]);
        assertThat(Adjustments.account(byAnother, payment)).isNull();
        assertThat(Adjustments.account(byMerchant, Payment.unseen(ABOUT))).isNull();
        assertThat(Adjustments.account(post(ASKED, "n/x", "EUR", 1), payment)).isEqualTo("n/x");
    }

    @Test
    void aWorkOrderIsResolvedForItsOwnOrderMerchantAndAmountOnly() {
        WorkItem item = suspended(10);
        var wrong = List.of(
                new ResolveWorkOrder(item.id(), new UUID(1, 1), "m", "RETURN", null, null, "ops", null, null),
                new ResolveWorkOrder(item.id(), ABOUT, "n", "RETURN", null, null, "ops", null, null),
                new ResolveWorkOrder(item.id(), ABOUT, "m", "RETURN", null, 11L, "ops", null, null),
                new ResolveWorkOrder(item.id(), ABOUT, "m", "RETURN", "r", null, "ops", null, null),
                new ResolveWorkOrder(item.id(), ABOUT, "m", "RETURN", null, null, "ops", null, "m/w"));
        Purse purse = Purse.of(wallet("50/0", "OPEN"));
        assertThat(wrong)
                .allSatisfy(command -> assertThatExceptionOfType(ImpossibleTransition.class)
                        .isThrownBy(() -> Adjustments.resolve(command, item, purse, purse)));
    }

    // ---- given ----

    private static Known known(String status) {
        return switch (status) {
            case "NEW" -> Known.NOTHING;
            case "SUSPENDED" -> new Known(null, suspended(10), null);
            case "RETURNED" -> new Known(null, suspended(10).resolved(new Resolution("RETURN", "ops", null)), null);
            case "PAID_OUT" -> new Known(null, suspended(10).resolved(new Resolution("PAY_OUT", "ops", null)), null);
            case "NOT_POSTED" ->
                new Known(
                        null,
                        null,
                        Adjustments.on(post(ASKED, "m/w", "EUR", 10), Known.NOTHING, null)
                                .workItems()
                                .getFirst());
            default ->
                new Known(null, null, known("NOT_POSTED").refused().resolved(new Resolution("WRITE_OFF", "ops", null)));
        };
    }

    private static WorkItem suspended(long amount) {
        return new WorkItem(
                Adjustments.suspendedBy(ASKED),
                WorkItem.Kind.DIFFERENCE_SUSPENDED,
                ABOUT,
                "m",
                null,
                "EUR",
                amount,
                "why",
                null);
    }

    private static Account wallet(String balance, String status) {
        String[] parts = balance.split("/");
        return new Account(
                "m",
                "w",
                Kind.WALLET,
                "EUR",
                Account.Status.valueOf(status),
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]));
    }

    private static Purse takings(String status) {
        return Purse.of(
                Account.open("m", "t", Kind.MERCHANT, "EUR").with(Account.Status.valueOf(status)),
                BigInteger.valueOf(70));
    }

    // ---- when ----

    private static Adjusted hear(String command, String status) {
        Known known = known(status);
        Purse wallet = Purse.of(wallet("50/0", "OPEN"));
        WorkItem item = known.suspended() == null ? known.refused() : known.suspended();
        return switch (command) {
            case "POST" -> Adjustments.on(post(ASKED, "m/w", "EUR", 10), known, wallet);
            case "PAY_TO" -> Adjustments.resolve(resolve(item, "PAY_OUT", "m/t"), item, wallet, takings("OPEN"));
            default -> Adjustments.resolve(resolve(item, command, null), item, wallet, null);
        };
    }

    private static PostToSuspense post(UUID workOrder, String account, String currency, long amount) {
        return new PostToSuspense(workOrder, ABOUT, "m", account, null, currency, amount, "alice", null);
    }

    private static ResolveWorkOrder resolve(WorkItem item, String action, @Nullable String account) {
        return new ResolveWorkOrder(item.id(), ABOUT, "m", action, null, null, "ops", null, account);
    }

    // ---- then ----

    private static String moves(Adjusted adjusted) {
        return adjusted.transfers().stream()
                .map(t -> t.kind() + " " + t.debitAccount() + " " + t.creditAccount() + " " + t.amount())
                .collect(Collectors.joining(", "));
    }

    private static String says(Adjusted adjusted) {
        return adjusted.events().stream().map(AdjustmentsTest::sentence).collect(Collectors.joining(", "));
    }

    private static String sentence(SpecificRecord event) {
        return switch (event) {
            case dev.paysaga.events.WorkOrderOpened e ->
                "WorkOrderOpened " + e.getKind() + (e.getAmount() == null ? "" : " " + e.getAmount());
            case dev.paysaga.events.WorkOrderResolved e -> "WorkOrderResolved " + e.getAction();
            default -> event.getSchema().getName();
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
