package dev.paysaga.inventory.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderConfirmed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RestockLine;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.StockRestocked;
import dev.paysaga.inventory.domain.Reservation.Status;
import dev.paysaga.saga.ImpossibleTransition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole table: every state against every event. Orders here are for two teas; where stock was committed, refund R1 has
 * put one of them back. A shelf is written onHand/reserved, a missing one as "none".
 */
class ReactionsTest {

    private static final String TABLE = """
            # status       | hears                 | shelf | becomes    | shelf | says
            UNSEEN         | OrderPlaced           | 5/0   | RESERVED   | 5/2   | StockReserved
            UNSEEN         | OrderPlaced           | 5/3   | RESERVED   | 5/5   | StockReserved
            UNSEEN         | OrderPlaced           | 5/4   | REJECTED   | 5/4   | StockRejected OUT_OF_STOCK tea
            UNSEEN         | OrderPlaced           | none  | REJECTED   | none  | StockRejected UNKNOWN_SKU tea
            RESERVED       | OrderPlaced           | 5/2   | RESERVED   | 5/2   | StockReserved
            COMMITTED      | OrderPlaced           | 4/0   | COMMITTED  | 4/0   |
            RELEASED (OC)  | OrderPlaced           | 5/0   | RELEASED   | 5/0   | StockRejected ORDER_CANCELED null
            RELEASED (PD)  | OrderPlaced           | 5/0   | RELEASED   | 5/0   | StockRejected ORDER_CANCELED null
            REJECTED       | OrderPlaced           | 5/0   | REJECTED   | 5/0   | StockRejected OUT_OF_STOCK tea
            REFUSED        | OrderPlaced           | 5/0   | REFUSED    | 5/0   | StockRejected ORDER_CANCELED null

            UNSEEN         | OrderConfirmed        | 5/0   | impossible |       |
            RESERVED       | OrderConfirmed        | 5/2   | COMMITTED  | 3/0   | StockCommitted
            COMMITTED      | OrderConfirmed        | 4/0   | COMMITTED  | 4/0   | StockCommitted
            RELEASED (OC)  | OrderConfirmed        | 5/0   | impossible |       |
            RELEASED (PD)  | OrderConfirmed        | 5/0   | impossible |       |
            REJECTED       | OrderConfirmed        | 5/0   | impossible |       |
            REFUSED        | OrderConfirmed        | 5/0   | impossible |       |

            UNSEEN         | OrderCanceled         | 5/0   | REFUSED    | 5/0   | StockReleased REFUSED_IN_ADVANCE ORDER_CANCELED
            RESERVED       | OrderCanceled         | 5/2   | RELEASED   | 5/0   | StockReleased RELEASED ORDER_CANCELED
            COMMITTED      | OrderCanceled         | 4/0   | impossible |       |
            RELEASED (OC)  | OrderCanceled         | 5/0   | RELEASED   | 5/0   | StockReleased RELEASED ORDER_CANCELED
            RELEASED (PD)  | OrderCanceled         | 5/0   | RELEASED   | 5/0   | StockReleased NOTHING_TO_UNDO ORDER_CANCELED
            REJECTED       | OrderCanceled         | 5/0   | REJECTED   | 5/0   | StockReleased NOTHING_TO_UNDO ORDER_CANCELED
            REFUSED        | OrderCanceled         | 5/0   | REFUSED    | 5/0   | StockReleased REFUSED_IN_ADVANCE ORDER_CANCELED

            UNSEEN         | PaymentDeclined       | 5/0   | impossible |       |
            RESERVED       | PaymentDeclined       | 5/2   | RELEASED   | 5/0   | StockReleased RELEASED PAYMENT_DECLINED
            COMMITTED      | PaymentDeclined       | 4/0   | impossible |       |
            RELEASED (OC)  | PaymentDeclined       | 5/0   | RELEASED   | 5/0   |
            RELEASED (PD)  | PaymentDeclined       | 5/0   | RELEASED   | 5/0   |
            REJECTED       | PaymentDeclined       | 5/0   | REJECTED   | 5/0   |
            REFUSED        | PaymentDeclined       | 5/0   | REFUSED    | 5/0   |

            UNSEEN         | RefundCompleted R2: 1 | 5/0   | impossible |       |
            RESERVED       | RefundCompleted R2: 1 | 5/2   | impossible |       |
            COMMITTED      | RefundCompleted R2: 1 | 4/0   | COMMITTED  | 5/0   | StockRestocked R2 tea 1
            COMMITTED      | RefundCompleted R2: 0 | 4/0   | COMMITTED  | 4/0   |
            COMMITTED      | RefundCompleted R1: 1 | 4/0   | COMMITTED  | 4/0   |
            COMMITTED      | RefundCompleted R2: 2 | 4/0   | impossible |       |
            RELEASED (OC)  | RefundCompleted R2: 1 | 5/0   | impossible |       |
            RELEASED (PD)  | RefundCompleted R2: 1 | 5/0   | impossible |       |
            REJECTED       | RefundCompleted R2: 1 | 5/0   | impossible |       |
            REFUSED        | RefundCompleted R2: 1 | 5/0   | impossible |       |
            """;

    private static final List<String> EVENTS =
            List.of("OrderPlaced", "OrderConfirmed", "OrderCanceled", "PaymentDeclined", "RefundCompleted");

    private static final UUID ORDER = new UUID(0x7000, 1);
    private static final String MERCHANT = "tea-house";

    @ParameterizedTest(name = "{0}, shelf {2}, hears {1}: {3}, shelf {4}, says {5}")
    @CsvSource(delimiter = '|', textBlock = TABLE)
    void reacts(
            String status, String hears, String shelf, String becomes, @Nullable String after, @Nullable String says) {
        if (becomes.equals("impossible")) {
            assertThatThrownBy(() -> decide(hears, reservation(status), shelves(shelf)))
                    .isInstanceOf(ImpossibleTransition.class);
        } else {
            Decision decision = decide(hears, reservation(status), shelves(shelf));
            assertThat(decision.reservation().status()).isEqualTo(Status.valueOf(becomes));
            assertThat(decision.shelves()).isEqualTo(shelves(String.valueOf(after)));
            assertThat(decision.events().stream().map(ReactionsTest::words))
                    .isEqualTo(Stream.ofNullable(says).toList());
        }
    }

    @Test
    void theTableHasARowForEveryStateAndEvent() {
        var rows = TABLE.lines()
                .filter(row -> row.contains("|") && !row.startsWith("#"))
                .map(row -> row.split("\\|"))
                .map(row -> firstWord(row[0]) + " x " + firstWord(row[1]))
                .collect(Collectors.toSet());

        assertThat(rows)
                .isEqualTo(Arrays.stream(Status.values())
                        .flatMap(status -> EVENTS.stream().map(event -> status + " x " + event))
                        .collect(Collectors.toSet()));
    }

    @Test
    void everyEventWithAReactionIsInTheTable() {
        assertThat(Arrays.stream(Reactions.class.getDeclaredMethods())
                        .filter(method -> method.getName().equals("on"))
                        .map(method -> method.getParameterTypes()[0].getSimpleName()))
                .containsExactlyInAnyOrderElementsOf(EVENTS);
    }

    @Test
    void nothingIsReservedUnlessEveryLineCanBe() {
        Shelves shelves = new Shelves(Map.of("tea", new Shelf("tea", 5, 0), "cup", new Shelf("cup", 1, 1)));

        Decision decision = Reactions.on(placed(line("tea", 2), line("cup", 1)), unseen(), shelves);

        assertThat(decision.shelves()).isEqualTo(shelves);
        assertThat(words(decision.events().getFirst())).isEqualTo("StockRejected OUT_OF_STOCK cup");
    }

    @Test
    void theFirstLineThatFallsShortIsTheOneNamed() {
        Decision decision = Reactions.on(placed(line("zebra", 1), line("apple", 1)), unseen(), new Shelves(Map.of()));

        assertThat(words(decision.events().getFirst())).isEqualTo("StockRejected UNKNOWN_SKU zebra");
    }

    @Test
    void twoLinesOfOneProductAreServedTogetherOrNotAtAll() {
        Decision decision = Reactions.on(placed(line("tea", 3), line("tea", 3)), unseen(), shelves("5/0"));

        assertThat(words(decision.events().getFirst())).isEqualTo("StockRejected OUT_OF_STOCK tea");
    }

    @Test
    void theLastUnitIsReservedAndTheNextIsNot() {
        Decision first = Reactions.on(placed(line("tea", 1)), unseen(), shelves("1/0"));
        Decision second = Reactions.on(placed(line("tea", 1)), unseen(), first.shelves());

        assertThat(first.shelves()).isEqualTo(shelves("1/1"));
        assertThat(words(second.events().getFirst())).isEqualTo("StockRejected OUT_OF_STOCK tea");
    }

    @Test
    void accountLearnsFromTheReservationAllItNeedsToHoldFunds() {
        OrderPlaced placed = placed(line("tea", 2));

        assertThat(Reactions.on(placed, unseen(), shelves("5/0")).events())
                .containsExactly(new StockReserved(ORDER, MERCHANT, "wallet-1", "EUR", 600L, placed.getLines()));
    }

    @Test
    void aRefundPutsBackOnlyWhatItAsksFor() {
        Reservation two = Reactions.on(
                        placed(line("tea", 2), line("cup", 3)),
                        unseen(),
                        new Shelves(Map.of("tea", new Shelf("tea", 5, 0), "cup", new Shelf("cup", 5, 0))))
                .reservation()
                .commit();

        Decision decision = Reactions.on(
                refunded("R1", new RestockLine("cup", 2L)),
                two,
                Restocks.NONE,
                new Shelves(Map.of("cup", new Shelf("cup", 2, 0))));

        assertThat(decision.shelves().bySku()).isEqualTo(Map.of("cup", new Shelf("cup", 4, 0)));
        assertThat(decision.restock()).contains(new Restock("R1", new Units(Map.of("cup", 2L))));
    }

    @Test
    void whatWasNeverOrderedDoesNotComeBack() {
        assertThatThrownBy(() -> Reactions.on(
                        refunded("R2", new RestockLine("cup", 1L)),
                        reservation("COMMITTED"),
                        Restocks.NONE,
                        new Shelves(Map.of("cup", new Shelf("cup", 5, 0)))))
                .isInstanceOf(ImpossibleTransition.class);
    }

    @Test
    void anImpossibleEventIsRefusedInWordsForThePersonOnCall() {
        assertThatThrownBy(() -> decide("OrderCanceled", reservation("COMMITTED"), shelves("4/0")))
                .hasMessage("OrderCanceled cannot follow COMMITTED (reservation of order " + ORDER + ")");
    }

    private static Decision decide(String hears, Reservation now, Shelves shelves) {
        return switch (firstWord(hears)) {
            case "OrderPlaced" -> Reactions.on(placed(line("tea", 2)), now, shelves);
            case "OrderConfirmed" -> Reactions.on(new OrderConfirmed(ORDER, MERCHANT), now, shelves);
            case "OrderCanceled" -> Reactions.on(new OrderCanceled(ORDER, MERCHANT, "TIMED_OUT"), now, shelves);
            case "PaymentDeclined" ->
                Reactions.on(new PaymentDeclined(ORDER, MERCHANT, "INSUFFICIENT_FUNDS"), now, shelves);
            case "RefundCompleted" -> Reactions.on(refunded(hears), now, oneTeaCameBackByR1(now), shelves);
            default -> throw new IllegalArgumentException(hears);
        };
    }

    private static Reservation reservation(String status) {
        Reservation reserved = unseen().reserve(new Units(Map.of("tea", 2L)));
        return switch (status) {
            case "UNSEEN" -> unseen();
            case "RESERVED" -> reserved;
            case "COMMITTED" -> reserved.commit();
            case "RELEASED (OC)" -> reserved.release(Reason.ORDER_CANCELED);
            case "RELEASED (PD)" -> reserved.release(Reason.PAYMENT_DECLINED);
            case "REJECTED" -> unseen().reject(reserved.units(), new Shelves.Shortage(Reason.OUT_OF_STOCK, "tea"));
            case "REFUSED" -> unseen().refuse();
            default -> throw new IllegalArgumentException(status);
        };
    }

    private static Restocks oneTeaCameBackByR1(Reservation now) {
        return now.status() == Status.COMMITTED
                ? Restocks.NONE.with(new Restock("R1", new Units(Map.of("tea", 1L))))
                : Restocks.NONE;
    }

    private static Shelves shelves(String onHandSlashReserved) {
        if (onHandSlashReserved.equals("none")) {
            return new Shelves(Map.of());
        }
        String[] counts = onHandSlashReserved.split("/");
        return new Shelves(Map.of("tea", new Shelf("tea", Long.parseLong(counts[0]), Long.parseLong(counts[1]))));
    }

    private static Reservation unseen() {
        return Reservation.unseen(ORDER, MERCHANT);
    }

    private static OrderPlaced placed(OrderLine... lines) {
        long amount = Arrays.stream(lines)
                .mapToLong(line -> line.getQuantity() * line.getUnitPrice())
                .sum();
        return new OrderPlaced(ORDER, MERCHANT, "T-1", "wallet-1", "EUR", amount, List.of(lines));
    }

    private static OrderLine line(String sku, long quantity) {
        return new OrderLine(sku, quantity, 300L);
    }

    /** From words such as "RefundCompleted R2: 1", where 1 is the number of teas that come back. */
    private static RefundCompleted refunded(String words) {
        String[] parts = words.split("[ :]+");
        long teas = Long.parseLong(parts[2]);
        return teas == 0 ? refunded(parts[1], new RestockLine[0]) : refunded(parts[1], new RestockLine("tea", teas));
    }

    private static RefundCompleted refunded(String refundNo, RestockLine... lines) {
        return new RefundCompleted(ORDER, MERCHANT, refundNo, "EUR", 300L, List.of(lines));
    }

    private static String words(SpecificRecord event) {
        String name = event.getSchema().getName();
        return switch (event) {
            case StockRejected e -> name + " " + e.getReason() + " " + e.getSku();
            case StockReleased e -> name + " " + e.getOutcome() + " " + e.getAnswers();
            case StockRestocked e ->
                name + " " + e.getRefundNo()
                        + e.getRestock().stream()
                                .map(line -> " " + line.getSku() + " " + line.getQuantity())
                                .collect(Collectors.joining());
            default -> name;
        };
    }

    private static String firstWord(String words) {
        return words.strip().split(" ")[0];
    }
}
