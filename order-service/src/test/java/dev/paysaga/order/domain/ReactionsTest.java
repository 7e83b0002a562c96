package dev.paysaga.order.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.events.OrderCanceled;
import dev.paysaga.events.OrderClosed;
import dev.paysaga.events.OrderLine;
import dev.paysaga.events.OrderPaid;
import dev.paysaga.events.OrderPlaced;
import dev.paysaga.events.OrderRefundFailed;
import dev.paysaga.events.OrderRefunded;
import dev.paysaga.events.PaymentAuthorized;
import dev.paysaga.events.PaymentCaptured;
import dev.paysaga.events.PaymentDeclined;
import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.PaymentVoided;
import dev.paysaga.events.RefundCompleted;
import dev.paysaga.events.RefundFailed;
import dev.paysaga.events.RefundRequested;
import dev.paysaga.events.RefundSuspended;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.RestockLine;
import dev.paysaga.events.SagaStuck;
import dev.paysaga.events.StockCommitted;
import dev.paysaga.events.StockRejected;
import dev.paysaga.events.StockReleased;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.StockRestocked;
import dev.paysaga.events.Topics;
import dev.paysaga.events.WorkOrderResolved;
import dev.paysaga.saga.ImpossibleTransition;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole table: every state against everything that can be heard or asked for. The order is for two teas of 300 each;
 * its refunds are of 300 and bring no tea back unless a test says so. sc, pc, sr, pv: stock is committed, payment captured,
 * stock released, payment voided. REFUNDING s: its refund R1 is suspended. REFUNDED: by R1 and R2.
 */
class ReactionsTest {

    private static final String EVENTS = """
            # status           | hears              | becomes            | says
            CREATED            | StockReserved      | STOCK_RESERVED     |
            STOCK_RESERVED     | StockReserved      | STOCK_RESERVED     |
            CONFIRMED          | StockReserved      | CONFIRMED          |
            CONFIRMED sc       | StockReserved      | CONFIRMED sc       |
            CONFIRMED pc       | StockReserved      | CONFIRMED pc       |
            PAID               | StockReserved      | PAID               |
            REFUNDING          | StockReserved      | REFUNDING          |
            REFUNDING s        | StockReserved      | REFUNDING s        |
            PARTIALLY_REFUNDED | StockReserved      | PARTIALLY_REFUNDED |
            REFUNDED           | StockReserved      | REFUNDED           |
            CANCELING          | StockReserved      | CANCELING          |
            CANCELING sr       | StockReserved      | CANCELING sr       |
            CANCELING pv       | StockReserved      | CANCELING pv       |
            CANCELED           | StockReserved      | CANCELED           |

            CREATED            | StockRejected      | CANCELING          | OrderCanceled OUT_OF_STOCK
            STOCK_RESERVED     | StockRejected      | CANCELING          | OrderCanceled OUT_OF_STOCK
            CONFIRMED          | StockRejected      | impossible         |
            CONFIRMED sc       | StockRejected      | impossible         |
            CONFIRMED pc       | StockRejected      | impossible         |
            PAID               | StockRejected      | impossible         |
            REFUNDING          | StockRejected      | impossible         |
            REFUNDING s        | StockRejected      | impossible         |
            PARTIALLY_REFUNDED | StockRejected      | impossible         |
            REFUNDED           | StockRejected      | impossible         |
            CANCELING          | StockRejected      | CANCELING          |
            CANCELING sr       | StockRejected      | CANCELING sr       |
            CANCELING pv       | StockRejected      | CANCELING pv       |
            CANCELED           | StockRejected      | CANCELED           |

            CREATED            | PaymentAuthorized  | CONFIRMED          | OrderConfirmed
            STOCK_RESERVED     | PaymentAuthorized  | CONFIRMED          | OrderConfirmed
            CONFIRMED          | PaymentAuthorized  | CONFIRMED          |
            CONFIRMED sc       | PaymentAuthorized  | CONFIRMED sc       |
            CONFIRMED pc       | PaymentAuthorized  | CONFIRMED pc       |
            PAID               | PaymentAuthorized  | PAID               |
            REFUNDING          | PaymentAuthorized  | REFUNDING          |
            REFUNDING s        | PaymentAuthorized  | REFUNDING s        |
            PARTIALLY_REFUNDED | PaymentAuthorized  | PARTIALLY_REFUNDED |
            REFUNDED           | PaymentAuthorized  | REFUNDED           |
            CANCELING          | PaymentAuthorized  | CANCELING          |
            CANCELING sr       | PaymentAuthorized  | CANCELING sr       |
            CANCELING pv       | PaymentAuthorized  | CANCELING pv       |
            CANCELED           | PaymentAuthorized  | CANCELED           |

            CREATED            | PaymentDeclined    | CANCELING          | OrderCanceled INSUFFICIENT_FUNDS
            STOCK_RESERVED     | PaymentDeclined    | CANCELING          | OrderCanceled INSUFFICIENT_FUNDS
            CONFIRMED          | PaymentDeclined    | impossible         |
            CONFIRMED sc       | PaymentDeclined    | impossible         |
            CONFIRMED pc       | PaymentDeclined    | impossible         |
            PAID               | PaymentDeclined    | impossible         |
            REFUNDING          | PaymentDeclined    | impossible         |
            REFUNDING s        | PaymentDeclined    | impossible         |
            PARTIALLY_REFUNDED | PaymentDeclined    | impossible         |
            REFUNDED           | PaymentDeclined    | impossible         |
            CANCELING          | PaymentDeclined    | CANCELING          |
            CANCELING sr       | PaymentDeclined    | CANCELING sr       |
            CANCELING pv       | PaymentDeclined    | CANCELING pv       |
            CANCELED           | PaymentDeclined    | CANCELED           |

            CREATED            | StockCommitted     | impossible         |
            STOCK_RESERVED     | StockCommitted     | impossible         |
            CONFIRMED          | StockCommitted     | CONFIRMED sc       |
            CONFIRMED sc       | StockCommitted     | CONFIRMED sc       |
            CONFIRMED pc       | StockCommitted     | PAID               | OrderPaid 600
            PAID               | StockCommitted     | PAID               |
            REFUNDING          | StockCommitted     | REFUNDING          |
            REFUNDING s        | StockCommitted     | REFUNDING s        |
            PARTIALLY_REFUNDED | StockCommitted     | PARTIALLY_REFUNDED |
            REFUNDED           | StockCommitted     | REFUNDED           |
            CANCELING          | StockCommitted     | impossible         |
            CANCELING sr       | StockCommitted     | impossible         |
            CANCELING pv       | StockCommitted     | impossible         |
            CANCELED           | StockCommitted     | impossible         |

            CREATED            | PaymentCaptured    | impossible         |
            STOCK_RESERVED     | PaymentCaptured    | impossible         |
            CONFIRMED          | PaymentCaptured    | CONFIRMED pc       |
            CONFIRMED sc       | PaymentCaptured    | PAID               | OrderPaid 600
            CONFIRMED pc       | PaymentCaptured    | CONFIRMED pc       |
            PAID               | PaymentCaptured    | PAID               |
            REFUNDING          | PaymentCaptured    | REFUNDING          |
            REFUNDING s        | PaymentCaptured    | REFUNDING s        |
            PARTIALLY_REFUNDED | PaymentCaptured    | PARTIALLY_REFUNDED |
            REFUNDED           | PaymentCaptured    | REFUNDED           |
            CANCELING          | PaymentCaptured    | impossible         |
            CANCELING sr       | PaymentCaptured    | impossible         |
            CANCELING pv       | PaymentCaptured    | impossible         |
            CANCELED           | PaymentCaptured    | impossible         |

            CREATED            | StockReleased OC   | impossible         |
            STOCK_RESERVED     | StockReleased OC   | impossible         |
            CONFIRMED          | StockReleased OC   | impossible         |
            CONFIRMED sc       | StockReleased OC   | impossible         |
            CONFIRMED pc       | StockReleased OC   | impossible         |
            PAID               | StockReleased OC   | impossible         |
            REFUNDING          | StockReleased OC   | impossible         |
            REFUNDING s        | StockReleased OC   | impossible         |
            PARTIALLY_REFUNDED | StockReleased OC   | impossible         |
            REFUNDED           | StockReleased OC   | impossible         |
            CANCELING          | StockReleased OC   | CANCELING sr       |
            CANCELING sr       | StockReleased OC   | CANCELING sr       |
            CANCELING pv       | StockReleased OC   | CANCELED           | OrderClosed TIMED_OUT
            CANCELED           | StockReleased OC   | CANCELED           |

            CREATED            | StockReleased PD   | CREATED            |
            STOCK_RESERVED     | StockReleased PD   | STOCK_RESERVED     |
            CONFIRMED          | StockReleased PD   | impossible         |
            CONFIRMED sc       | StockReleased PD   | impossible         |
            CONFIRMED pc       | StockReleased PD   | impossible         |
            PAID               | StockReleased PD   | impossible         |
            REFUNDING          | StockReleased PD   | impossible         |
            REFUNDING s        | StockReleased PD   | impossible         |
            PARTIALLY_REFUNDED | StockReleased PD   | impossible         |
            REFUNDED           | StockReleased PD   | impossible         |
            CANCELING          | StockReleased PD   | CANCELING          |
            CANCELING sr       | StockReleased PD   | CANCELING sr       |
            CANCELING pv       | StockReleased PD   | CANCELING pv       |
            CANCELED           | StockReleased PD   | CANCELED           |

            CREATED            | PaymentVoided      | impossible         |
            STOCK_RESERVED     | PaymentVoided      | impossible         |
            CONFIRMED          | PaymentVoided      | impossible         |
            CONFIRMED sc       | PaymentVoided      | impossible         |
            CONFIRMED pc       | PaymentVoided      | impossible         |
            PAID               | PaymentVoided      | impossible         |
            REFUNDING          | PaymentVoided      | impossible         |
            REFUNDING s        | PaymentVoided      | impossible         |
            PARTIALLY_REFUNDED | PaymentVoided      | impossible         |
            REFUNDED           | PaymentVoided      | impossible         |
            CANCELING          | PaymentVoided      | CANCELING pv       |
            CANCELING sr       | PaymentVoided      | CANCELED           | OrderClosed TIMED_OUT
            CANCELING pv       | PaymentVoided      | CANCELING pv       |
            CANCELED           | PaymentVoided      | CANCELED           |

            CREATED            | RefundCompleted R1 | impossible         |
            STOCK_RESERVED     | RefundCompleted R1 | impossible         |
            CONFIRMED          | RefundCompleted R1 | impossible         |
            CONFIRMED sc       | RefundCompleted R1 | impossible         |
            CONFIRMED pc       | RefundCompleted R1 | impossible         |
            PAID               | RefundCompleted R1 | impossible         |
            REFUNDING          | RefundCompleted R1 | PARTIALLY_REFUNDED | OrderRefunded R1 300 of 300
            REFUNDING s        | RefundCompleted R1 | PARTIALLY_REFUNDED | OrderRefunded R1 300 of 300
            PARTIALLY_REFUNDED | RefundCompleted R1 | PARTIALLY_REFUNDED |
            REFUNDED           | RefundCompleted R1 | REFUNDED           |
            CANCELING          | RefundCompleted R1 | impossible         |
            CANCELING sr       | RefundCompleted R1 | impossible         |
            CANCELING pv       | RefundCompleted R1 | impossible         |
            CANCELED           | RefundCompleted R1 | impossible         |

            CREATED            | RefundFailed R1    | impossible         |
            STOCK_RESERVED     | RefundFailed R1    | impossible         |
            CONFIRMED          | RefundFailed R1    | impossible         |
            CONFIRMED sc       | RefundFailed R1    | impossible         |
            CONFIRMED pc       | RefundFailed R1    | impossible         |
            PAID               | RefundFailed R1    | impossible         |
            REFUNDING          | RefundFailed R1    | PAID               | OrderRefundFailed R1 300 RETURNED_TO_MERCHANT
            REFUNDING s        | RefundFailed R1    | PAID               | OrderRefundFailed R1 300 RETURNED_TO_MERCHANT
            PARTIALLY_REFUNDED | RefundFailed R1    | impossible         |
            REFUNDED           | RefundFailed R1    | impossible         |
            CANCELING          | RefundFailed R1    | impossible         |
            CANCELING sr       | RefundFailed R1    | impossible         |
            CANCELING pv       | RefundFailed R1    | impossible         |
            CANCELED           | RefundFailed R1    | impossible         |

            CREATED            | RefundSuspended R1 | impossible         |
            STOCK_RESERVED     | RefundSuspended R1 | impossible         |
            CONFIRMED          | RefundSuspended R1 | impossible         |
            CONFIRMED sc       | RefundSuspended R1 | impossible         |
            CONFIRMED pc       | RefundSuspended R1 | impossible         |
            PAID               | RefundSuspended R1 | impossible         |
            REFUNDING          | RefundSuspended R1 | REFUNDING s        |
            REFUNDING s        | RefundSuspended R1 | REFUNDING s        |
            PARTIALLY_REFUNDED | RefundSuspended R1 | PARTIALLY_REFUNDED |
            REFUNDED           | RefundSuspended R1 | REFUNDED           |
            CANCELING          | RefundSuspended R1 | impossible         |
            CANCELING sr       | RefundSuspended R1 | impossible         |
            CANCELING pv       | RefundSuspended R1 | impossible         |
            CANCELED           | RefundSuspended R1 | impossible         |

            CREATED            | StockRestocked R1  | CREATED            |
            STOCK_RESERVED     | StockRestocked R1  | STOCK_RESERVED     |
            CONFIRMED          | StockRestocked R1  | CONFIRMED          |
            PAID               | StockRestocked R1  | PAID               |
            REFUNDING          | StockRestocked R1  | REFUNDING          |
            PARTIALLY_REFUNDED | StockRestocked R1  | PARTIALLY_REFUNDED |
            REFUNDED           | StockRestocked R1  | REFUNDED           |
            CANCELING          | StockRestocked R1  | CANCELING          |
            CANCELED           | StockRestocked R1  | CANCELED           |
            """;

    private static final String COMMANDS = """
            # status           | is asked to   | becomes            | says
            CREATED            | cancel        | CANCELING          | OrderCanceled CANCELED_BY_MERCHANT
            STOCK_RESERVED     | cancel        | CANCELING          | OrderCanceled CANCELED_BY_MERCHANT
            CONFIRMED          | cancel        | refused            | ORDER_NOT_CANCELABLE
            CONFIRMED sc       | cancel        | refused            | ORDER_NOT_CANCELABLE
            CONFIRMED pc       | cancel        | refused            | ORDER_NOT_CANCELABLE
            PAID               | cancel        | refused            | ORDER_NOT_CANCELABLE
            REFUNDING          | cancel        | refused            | ORDER_NOT_CANCELABLE
            REFUNDING s        | cancel        | refused            | ORDER_NOT_CANCELABLE
            PARTIALLY_REFUNDED | cancel        | refused            | ORDER_NOT_CANCELABLE
            REFUNDED           | cancel        | refused            | ORDER_NOT_CANCELABLE
            CANCELING          | cancel        | repeated           |
            CANCELING sr       | cancel        | repeated           |
            CANCELING pv       | cancel        | repeated           |
            CANCELED           | cancel        | repeated           |

            CREATED            | time-out      | CANCELING          | OrderCanceled TIMED_OUT
            STOCK_RESERVED     | time-out      | CANCELING          | OrderCanceled TIMED_OUT
            CONFIRMED          | time-out      | CONFIRMED          |
            CONFIRMED sc       | time-out      | CONFIRMED sc       |
            CONFIRMED pc       | time-out      | CONFIRMED pc       |
            PAID               | time-out      | PAID               |
            REFUNDING          | time-out      | REFUNDING          |
            REFUNDING s        | time-out      | REFUNDING s        |
            PARTIALLY_REFUNDED | time-out      | PARTIALLY_REFUNDED |
            REFUNDED           | time-out      | REFUNDED           |
            CANCELING          | time-out      | CANCELING          |
            CANCELING sr       | time-out      | CANCELING sr       |
            CANCELING pv       | time-out      | CANCELING pv       |
            CANCELED           | time-out      | CANCELED           |

            CREATED            | stuck         | CREATED            |
            STOCK_RESERVED     | stuck         | STOCK_RESERVED     |
            CONFIRMED          | stuck         | CONFIRMED          | SagaStuck CONFIRMED
            CONFIRMED sc       | stuck         | CONFIRMED sc       | SagaStuck CONFIRMED
            CONFIRMED pc       | stuck         | CONFIRMED pc       | SagaStuck CONFIRMED
            PAID               | stuck         | PAID               |
            REFUNDING          | stuck         | REFUNDING          | SagaStuck REFUNDING
            REFUNDING s        | stuck         | REFUNDING s        | SagaStuck REFUNDING
            PARTIALLY_REFUNDED | stuck         | PARTIALLY_REFUNDED |
            REFUNDED           | stuck         | REFUNDED           |
            CANCELING          | stuck         | CANCELING          | SagaStuck CANCELING
            CANCELING sr       | stuck         | CANCELING sr       | SagaStuck CANCELING
            CANCELING pv       | stuck         | CANCELING pv       | SagaStuck CANCELING
            CANCELED           | stuck         | CANCELED           |

            CREATED            | resend        | CREATED            |
            STOCK_RESERVED     | resend        | STOCK_RESERVED     |
            CONFIRMED          | resend        | CONFIRMED          | OrderConfirmed
            CONFIRMED sc       | resend        | CONFIRMED sc       | OrderConfirmed
            CONFIRMED pc       | resend        | CONFIRMED pc       | OrderConfirmed
            PAID               | resend        | PAID               |
            REFUNDING          | resend        | REFUNDING          | RefundRequested R1 300
            REFUNDING s        | resend        | REFUNDING s        | RefundRequested R1 300
            PARTIALLY_REFUNDED | resend        | PARTIALLY_REFUNDED |
            REFUNDED           | resend        | REFUNDED           |
            CANCELING          | resend        | CANCELING          | OrderCanceled TIMED_OUT
            CANCELING sr       | resend        | CANCELING sr       | OrderCanceled TIMED_OUT
            CANCELING pv       | resend        | CANCELING pv       | OrderCanceled TIMED_OUT
            CANCELED           | resend        | CANCELED           |

            CREATED            | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            STOCK_RESERVED     | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            CONFIRMED          | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            CONFIRMED sc       | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            CONFIRMED pc       | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            PAID               | refund R9 300 | REFUNDING          | RefundRequested R9 300
            REFUNDING          | refund R9 300 | REFUNDING          | RefundRequested R9 300
            REFUNDING s        | refund R9 300 | REFUNDING s        | RefundRequested R9 300
            PARTIALLY_REFUNDED | refund R9 300 | REFUNDING          | RefundRequested R9 300
            REFUNDED           | refund R9 300 | refused            | REFUND_EXCEEDS_CAPTURED
            CANCELING          | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            CANCELING sr       | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            CANCELING pv       | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE
            CANCELED           | refund R9 300 | refused            | ORDER_NOT_REFUNDABLE

            CREATED            | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            STOCK_RESERVED     | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            CONFIRMED          | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            CONFIRMED sc       | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            CONFIRMED pc       | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            PAID               | refund R1 300 | REFUNDING          | RefundRequested R1 300
            REFUNDING          | refund R1 300 | repeated           |
            REFUNDING s        | refund R1 300 | repeated           |
            PARTIALLY_REFUNDED | refund R1 300 | repeated           |
            REFUNDED           | refund R1 300 | repeated           |
            CANCELING          | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            CANCELING sr       | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            CANCELING pv       | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE
            CANCELED           | refund R1 300 | refused            | ORDER_NOT_REFUNDABLE

            CREATED            | same order    | repeated           |
            STOCK_RESERVED     | same order    | repeated           |
            CONFIRMED          | same order    | repeated           |
            CONFIRMED sc       | same order    | repeated           |
            CONFIRMED pc       | same order    | repeated           |
            PAID               | same order    | repeated           |
            REFUNDING          | same order    | repeated           |
            REFUNDING s        | same order    | repeated           |
            PARTIALLY_REFUNDED | same order    | repeated           |
            REFUNDED           | same order    | repeated           |
            CANCELING          | same order    | repeated           |
            CANCELING sr       | same order    | repeated           |
            CANCELING pv       | same order    | repeated           |
            CANCELED           | same order    | repeated           |

            CREATED            | other order   | refused            | OUT_TRADE_NO_CONFLICT
            STOCK_RESERVED     | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CONFIRMED          | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CONFIRMED sc       | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CONFIRMED pc       | other order   | refused            | OUT_TRADE_NO_CONFLICT
            PAID               | other order   | refused            | OUT_TRADE_NO_CONFLICT
            REFUNDING          | other order   | refused            | OUT_TRADE_NO_CONFLICT
            REFUNDING s        | other order   | refused            | OUT_TRADE_NO_CONFLICT
            PARTIALLY_REFUNDED | other order   | refused            | OUT_TRADE_NO_CONFLICT
            REFUNDED           | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CANCELING          | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CANCELING sr       | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CANCELING pv       | other order   | refused            | OUT_TRADE_NO_CONFLICT
            CANCELED           | other order   | refused            | OUT_TRADE_NO_CONFLICT
            """;

    private static final UUID ORDER = new UUID(0x7000, 1);
    private static final String MERCHANT = "tea-house";
    private static final Terms TWO_TEAS = terms(line("tea", 2, 300));
    private static final Instant SINCE = Instant.parse("2026-12-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            WRITE_OFF | skipped | WRITE_OFF
            WRITE_OFF | waits   |
            RESEND    | skipped |
            RESEND    | waits   |
            RETRY     | waits   |
            """)
    void aParkedEventIsDoneWithoutOnceItWaitsNoMore(String action, String event, @Nullable String resolved) {
        UUID about = new UUID(7, 7);
        var question = new Question(about, true, event.equals("waits"));
        var command = new ResolveWorkOrder(new UUID(8, 8), about, "m", action, null, null, "ops", null, null);

        if (resolved == null) {
            assertThatThrownBy(() -> Reactions.resolve(command, question)).isInstanceOf(ImpossibleTransition.class);
        } else {
            assertThat(Reactions.resolve(command, question))
                    .containsExactly(new WorkOrderResolved(new UUID(8, 8), about, "m", resolved, "ops"));
        }
    }

    @Test
    void aWorkOrderIsResolvedForWhatItIsAboutOnly() {
        var skipped = new Question(new UUID(7, 7), true, false);
        List<ResolveWorkOrder> wrong = List.of(
                new ResolveWorkOrder(new UUID(8, 8), new UUID(1, 1), "m", "WRITE_OFF", null, null, "ops", null, null),
                new ResolveWorkOrder(new UUID(8, 8), new UUID(7, 7), "m", "WRITE_OFF", "R1", null, "ops", null, null),
                new ResolveWorkOrder(new UUID(8, 8), new UUID(7, 7), "m", "WRITE_OFF", null, 1L, "ops", null, null),
                new ResolveWorkOrder(new UUID(8, 8), new UUID(7, 7), "m", "WRITE_OFF", null, null, "ops", null, "m/w"));

        assertThat(wrong)
                .allSatisfy(command -> assertThatThrownBy(() -> Reactions.resolve(command, skipped))
                        .isInstanceOf(ImpossibleTransition.class));
    }

    @ParameterizedTest(name = "{0} hears {1}: {2}, says {3}")
    @CsvSource(delimiter = '|', textBlock = EVENTS)
    void reacts(String status, String hears, String becomes, @Nullable String says) {
        Order now = order(status);
        if (becomes.equals("impossible")) {
            assertThatThrownBy(() -> Reactions.on(event(hears), now)).isInstanceOf(ImpossibleTransition.class);
        } else {
            Decision decision = Reactions.on(event(hears), now);
            assertThat(words(decision.order())).isEqualTo(becomes);
            assertThat(words(decision.events()))
                    .isEqualTo(Stream.ofNullable(says).toList());
            assertThat(decision.order().version())
                    .isEqualTo(becomes.equals(status) ? now.version() : now.version() + 1);
        }
    }

    @ParameterizedTest(name = "{0} is asked to {1}: {2}, says {3}")
    @CsvSource(delimiter = '|', textBlock = COMMANDS)
    void answers(String status, String asked, String becomes, @Nullable String says) {
        Order now = order(status);
        switch (ask(asked, now)) {
            case Outcome.Accepted(Decision decision) -> {
                assertThat(words(decision.order())).isEqualTo(becomes);
                assertThat(words(decision.events()))
                        .isEqualTo(Stream.ofNullable(says).toList());
            }
            case Outcome.Repeated(Order same) -> {
                assertThat(becomes).isEqualTo("repeated");
                assertThat(same).isEqualTo(now);
            }
            case Outcome.Refused(Refusal refusal, String detail) -> {
                assertThat(becomes).isEqualTo("refused");
                assertThat(refusal.name()).isEqualTo(says);
                assertThat(detail).contains(ORDER.toString());
            }
        }
    }

    @Test
    void both_tables_have_a_row_for_every_state_and_whatever_can_happen() {
        for (String table : List.of(EVENTS, COMMANDS)) {
            var cells = table.lines()
                    .filter(row -> row.contains("|") && !row.strip().startsWith("#"))
                    .map(row -> row.split("\\|"))
                    .map(row -> row[0].strip().split(" ")[0] + " x " + row[1].strip())
                    .collect(Collectors.toSet());
            var happenings = cells.stream().map(cell -> cell.split(" x ")[1]).collect(Collectors.toSet());

            assertThat(cells)
                    .isEqualTo(Arrays.stream(OrderStatus.values())
                            .filter(status -> status != OrderStatus.UNSEEN)
                            .flatMap(status -> happenings.stream().map(happening -> status + " x " + happening))
                            .collect(Collectors.toSet()));
        }
    }

    @Test
    void everything_that_inventory_and_account_say_is_in_the_table() {
        var said = Stream.of(
                        Topics.INVENTORY_EVENTS,
                        Topics.INVENTORY_COMPENSATIONS,
                        Topics.ACCOUNT_EVENTS,
                        Topics.ACCOUNT_COMPENSATIONS)
                .flatMap(topic -> new PaymentSaga().schemasOf(topic).stream())
                .map(Schema::getName)
                .collect(Collectors.toSet());

        assertThat(EVENTS.lines()
                        .filter(row -> row.contains("|") && !row.strip().startsWith("#"))
                        .map(row -> row.split("\\|")[1].strip().split(" ")[0])
                        .collect(Collectors.toSet()))
                .isEqualTo(said);
    }

    @Test
    void every_refund_state_has_its_answer_to_every_refund_event() {
        Order failed =
                after(order("REFUNDING"), new RefundFailed(ORDER, MERCHANT, "R1", "EUR", 300L, "RETURNED_TO_MERCHANT"));

        assertThat(words(failed)).isEqualTo("PAID");
        assertThatThrownBy(() -> Reactions.on(event("RefundCompleted R1"), failed))
                .hasMessage("RefundCompleted cannot follow FAILED (refund R1 of order " + ORDER + ")");
        assertThat(Reactions.on(event("RefundFailed R1"), failed)).isEqualTo(Decision.silently(failed));
        assertThat(Reactions.on(event("RefundSuspended R1"), failed)).isEqualTo(Decision.silently(failed));
    }

    @Test
    void nothing_can_be_heard_of_a_refund_that_was_never_asked_for() {
        for (String event : List.of("RefundCompleted R7", "RefundFailed R7", "RefundSuspended R7")) {
            assertThatThrownBy(() -> Reactions.on(event(event), order("REFUNDING")))
                    .isInstanceOf(ImpossibleTransition.class);
        }
    }

    @Test
    void other_money_than_was_asked_for_is_impossible() {
        var wrong = List.<SpecificRecord>of(
                new PaymentAuthorized(ORDER, MERCHANT, "EUR", 601L),
                new PaymentAuthorized(ORDER, MERCHANT, "USD", 600L),
                new PaymentCaptured(ORDER, MERCHANT, "EUR", 599L),
                new PaymentCaptured(ORDER, MERCHANT, "USD", 600L));

        assertThat(wrong)
                .allSatisfy(event -> assertThat(
                                List.of(order("CREATED"), order("CONFIRMED"), order("PAID"), order("CANCELING")))
                        .allSatisfy(now -> assertThatThrownBy(() -> Reactions.on(event, now))
                                .isInstanceOf(ImpossibleTransition.class)));
    }

    @Test
    void a_refund_of_another_amount_than_was_asked_for_is_impossible() {
        assertThatThrownBy(() -> Reactions.on(
                        new RefundCompleted(ORDER, MERCHANT, "R1", "EUR", 301L, List.of()), order("REFUNDING")))
                .isInstanceOf(ImpossibleTransition.class);
        assertThatThrownBy(() -> Reactions.on(
                        new RefundCompleted(ORDER, MERCHANT, "R1", "USD", 300L, List.of()), order("REFUNDING")))
                .isInstanceOf(ImpossibleTransition.class);
    }

    @Test
    void nothing_is_heard_of_an_order_that_does_not_exist() {
        assertThat(Reactions.withoutOrder(ORDER, event("StockReserved")))
                .hasMessage("StockReserved cannot follow UNSEEN (there is no order " + ORDER + ")");
    }

    @Test
    void what_an_order_does_not_hear_is_refused_loudly() {
        SpecificRecord own = Reactions.place(ORDER, TWO_TEAS).events().getFirst();

        assertThatThrownBy(() -> Reactions.on(own, order("CREATED"))).isInstanceOf(ImpossibleTransition.class);
    }

    @Test
    void inventory_learns_from_the_placed_order_all_it_needs() {
        assertThat(Reactions.place(ORDER, TWO_TEAS).events())
                .containsExactly(
                        new OrderPlaced(ORDER, MERCHANT, "T-1", "wallet-1", "EUR", 600L, List.of(line("tea", 2, 300))));
    }

    @Test
    void the_same_order_may_name_its_lines_in_another_order() {
        Terms cupFirst = terms(line("cup", 1, 50), line("tea", 2, 300));
        Terms teaFirst = terms(line("tea", 2, 300), line("cup", 1, 50));

        assertThat(Reactions.placeAgain(
                        teaFirst, Reactions.place(ORDER, cupFirst).order()))
                .isInstanceOf(Outcome.Repeated.class);
    }

    @Test
    void the_reason_that_came_first_stays() {
        Order canceled = after(order("CREATED"), event("StockRejected"), event("PaymentDeclined"));

        assertThat(canceled.reason()).isEqualTo("OUT_OF_STOCK");
    }

    @Test
    void two_refunds_at_once_may_not_exceed_what_was_captured() {
        Order first = accepted(Reactions.requestRefund(refund("R1", 400), order("PAID")));

        assertThat(refusal(Reactions.requestRefund(refund("R2", 201), first)))
                .isEqualTo(Refusal.REFUND_EXCEEDS_CAPTURED);
        assertThat(words(accepted(Reactions.requestRefund(refund("R2", 200), first))))
                .isEqualTo("REFUNDING");
    }

    @Test
    void a_suspended_refund_stays_claimed_and_a_failed_one_is_free_again() {
        Order suspended = order("REFUNDING s");
        Order failed = after(suspended, event("RefundFailed R1"));

        assertThat(refusal(Reactions.requestRefund(refund("R2", 301), suspended)))
                .isEqualTo(Refusal.REFUND_EXCEEDS_CAPTURED);
        assertThat(words(accepted(Reactions.requestRefund(refund("R2", 600), failed))))
                .isEqualTo("REFUNDING");
    }

    @Test
    void an_amount_near_the_top_of_its_range_does_not_wrap_around() {
        assertThat(refusal(Reactions.requestRefund(refund("R9", Long.MAX_VALUE), order("PARTIALLY_REFUNDED"))))
                .isEqualTo(Refusal.REFUND_EXCEEDS_CAPTURED);
    }

    @Test
    void no_unit_comes_back_twice() {
        Order one = accepted(Reactions.requestRefund(refund("R1", 100, new RestockLine("tea", 1L)), order("PAID")));

        assertThat(refusal(Reactions.requestRefund(refund("R2", 100, new RestockLine("tea", 2L)), one)))
                .isEqualTo(Refusal.RESTOCK_EXCEEDS_COMMITTED);
        assertThat(refusal(Reactions.requestRefund(refund("R2", 100, new RestockLine("cup", 1L)), one)))
                .isEqualTo(Refusal.RESTOCK_EXCEEDS_COMMITTED);
        assertThat(Reactions.requestRefund(refund("R2", 100, new RestockLine("tea", 1L)), one))
                .isInstanceOf(Outcome.Accepted.class);
    }

    @Test
    void a_refund_number_with_other_content_is_refused() {
        assertThat(refusal(Reactions.requestRefund(refund("R1", 299), order("REFUNDING"))))
                .isEqualTo(Refusal.REFUND_NO_CONFLICT);
    }

    @Test
    void a_second_refund_keeps_the_order_refunding_until_it_is_decided_too() {
        Order both = accepted(Reactions.requestRefund(refund("R2", 300), order("REFUNDING")));
        Order one = after(both, event("RefundCompleted R1"));
        Order none = after(one, event("RefundFailed R2"));

        assertThat(words(one)).isEqualTo("REFUNDING");
        assertThat(one.refundedAmount()).isEqualTo(300);
        assertThat(words(none)).isEqualTo("PARTIALLY_REFUNDED");
    }

    @Test
    void every_open_refund_is_requested_again_and_no_other() {
        Order two = accepted(Reactions.requestRefund(refund("R2", 300), order("PARTIALLY_REFUNDED")));

        assertThat(words(Reactions.resend(two).events())).containsExactly("RefundRequested R2 300");
    }

    @Test
    void a_person_on_call_learns_in_which_state_and_since_when() {
        assertThat(Reactions.stuck(order("CONFIRMED"), SINCE).events())
                .containsExactly(new SagaStuck(ORDER, MERCHANT, "CONFIRMED", SINCE));
    }

    @Test
    void an_order_cannot_be_built_in_a_state_that_contradicts_its_parts() {
        assertThatThrownBy(() -> new Order(ORDER, TWO_TEAS, OrderStatus.PAID, null, Set.of(), List.of(), 3))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Order(
                        ORDER,
                        TWO_TEAS,
                        OrderStatus.CANCELED,
                        null,
                        order("CANCELED").acks(),
                        List.of(),
                        3))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Order(ORDER, TWO_TEAS, OrderStatus.UNSEEN, null, Set.of(), List.of(), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Order(
                        ORDER,
                        TWO_TEAS,
                        OrderStatus.PAID,
                        null,
                        order("PAID").acks(),
                        order("REFUNDING").refunds(),
                        3))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_state_codes_are_those_of_the_contract() {
        assertThat(Arrays.stream(OrderStatus.values()).map(status -> status + " " + status.code()))
                .containsExactly(
                        "UNSEEN 0",
                        "CREATED 10",
                        "STOCK_RESERVED 20",
                        "CONFIRMED 30",
                        "PAID 40",
                        "CANCELING 50",
                        "CANCELED 51",
                        "REFUNDING 60",
                        "PARTIALLY_REFUNDED 61",
                        "REFUNDED 62");
        assertThat(Arrays.stream(OrderStatus.values()).map(status -> OrderStatus.of(status.code())))
                .containsExactly(OrderStatus.values());
        assertThat(Arrays.stream(RefundStatus.values()).map(status -> status + " " + status.code()))
                .containsExactly("UNSEEN 0", "REQUESTED 1", "COMPLETED 2", "FAILED 3", "SUSPENDED 4");
        assertThat(Arrays.stream(RefundStatus.values()).map(status -> RefundStatus.of(status.code())))
                .containsExactly(RefundStatus.values());
    }

    private static Outcome ask(String words, Order now) {
        return switch (words.split(" ")[0]) {
            case "cancel" -> Reactions.cancel(now);
            case "time-out" -> new Outcome.Accepted(Reactions.timeOut(now));
            case "stuck" -> new Outcome.Accepted(Reactions.stuck(now, SINCE));
            case "resend" -> new Outcome.Accepted(Reactions.resend(now));
            case "refund" ->
                Reactions.requestRefund(refund(words.split(" ")[1], Long.parseLong(words.split(" ")[2])), now);
            case "same" -> Reactions.placeAgain(terms(line("tea", 2, 300)), now);
            case "other" -> Reactions.placeAgain(terms(line("tea", 3, 300)), now);
            default -> throw new IllegalArgumentException(words);
        };
    }

    private static SpecificRecord event(String words) {
        String number = words.contains(" ") ? words.split(" ")[1] : "";
        return switch (words.split(" ")[0]) {
            case "StockReserved" ->
                new StockReserved(ORDER, MERCHANT, "wallet-1", "EUR", 600L, List.of(line("tea", 2, 300)));
            case "StockRejected" -> new StockRejected(ORDER, MERCHANT, "OUT_OF_STOCK", "tea");
            case "StockCommitted" -> new StockCommitted(ORDER, MERCHANT);
            case "StockReleased" ->
                new StockReleased(
                        ORDER, MERCHANT, "RELEASED", number.equals("OC") ? "ORDER_CANCELED" : "PAYMENT_DECLINED");
            case "StockRestocked" -> new StockRestocked(ORDER, MERCHANT, number, List.of(new RestockLine("tea", 1L)));
            case "PaymentAuthorized" -> new PaymentAuthorized(ORDER, MERCHANT, "EUR", 600L);
            case "PaymentDeclined" -> new PaymentDeclined(ORDER, MERCHANT, "INSUFFICIENT_FUNDS");
            case "PaymentCaptured" -> new PaymentCaptured(ORDER, MERCHANT, "EUR", 600L);
            case "PaymentVoided" -> new PaymentVoided(ORDER, MERCHANT, "VOIDED");
            case "RefundCompleted" -> new RefundCompleted(ORDER, MERCHANT, number, "EUR", 300L, List.of());
            case "RefundFailed" -> new RefundFailed(ORDER, MERCHANT, number, "EUR", 300L, "RETURNED_TO_MERCHANT");
            case "RefundSuspended" -> new RefundSuspended(ORDER, MERCHANT, number, "EUR", 300L, "ACCOUNT_CLOSED");
            default -> throw new IllegalArgumentException(words);
        };
    }

    /** An order in this state, as it gets there by what it hears. */
    private static Order order(String words) {
        Order placed = Reactions.place(ORDER, TWO_TEAS).order();
        return switch (words) {
            case "CREATED" -> placed;
            case "STOCK_RESERVED" -> after(placed, event("StockReserved"));
            case "CONFIRMED" -> after(order("STOCK_RESERVED"), event("PaymentAuthorized"));
            case "CONFIRMED sc" -> after(order("CONFIRMED"), event("StockCommitted"));
            case "CONFIRMED pc" -> after(order("CONFIRMED"), event("PaymentCaptured"));
            case "PAID" -> after(order("CONFIRMED"), event("PaymentCaptured"), event("StockCommitted"));
            case "CANCELING" -> Reactions.timeOut(placed).order();
            case "CANCELING sr" -> after(order("CANCELING"), event("StockReleased OC"));
            case "CANCELING pv" -> after(order("CANCELING"), event("PaymentVoided"));
            case "CANCELED" -> after(order("CANCELING"), event("StockReleased OC"), event("PaymentVoided"));
            case "REFUNDING" -> accepted(Reactions.requestRefund(refund("R1", 300), order("PAID")));
            case "REFUNDING s" -> after(order("REFUNDING"), event("RefundSuspended R1"));
            case "PARTIALLY_REFUNDED" -> after(order("REFUNDING"), event("RefundCompleted R1"));
            case "REFUNDED" ->
                after(
                        accepted(Reactions.requestRefund(refund("R2", 300), order("PARTIALLY_REFUNDED"))),
                        event("RefundCompleted R2"));
            default -> throw new IllegalArgumentException(words);
        };
    }

    private static Order after(Order now, SpecificRecord... events) {
        Order order = now;
        for (SpecificRecord event : events) {
            order = Reactions.on(event, order).order();
        }
        return order;
    }

    private static Order accepted(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Accepted.class);
        return ((Outcome.Accepted) outcome).decision().order();
    }

    private static Refusal refusal(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Refused.class);
        return ((Outcome.Refused) outcome).refusal();
    }

    private static Terms terms(OrderLine... lines) {
        return new Terms(
                MERCHANT,
                "T-1",
                "wallet-1",
                "EUR",
                Terms.total(List.of(lines)),
                List.of(lines),
                "https://tea.house/hook");
    }

    private static OrderLine line(String sku, long quantity, long unitPrice) {
        return new OrderLine(sku, quantity, unitPrice);
    }

    private static RefundTerms refund(String refundNo, long amount, RestockLine... restock) {
        return new RefundTerms(refundNo, amount, null, List.of(restock));
    }

    private static String words(Order order) {
        String answer = switch (order.status()) {
            case CONFIRMED, CANCELING ->
                order.acks().stream()
                        .map(ack -> switch (ack) {
                            case STOCK_COMMITTED -> " sc";
                            case PAYMENT_CAPTURED -> " pc";
                            case STOCK_RELEASED -> " sr";
                            case PAYMENT_VOIDED -> " pv";
                        })
                        .collect(Collectors.joining());
            case REFUNDING ->
                order.refunds().stream().anyMatch(refund -> refund.status() == RefundStatus.SUSPENDED) ? " s" : "";
            default -> "";
        };
        return order.status() + answer;
    }

    private static List<String> words(List<SpecificRecord> events) {
        return events.stream().map(ReactionsTest::words).toList();
    }

    private static String words(SpecificRecord event) {
        String name = event.getSchema().getName();
        return switch (event) {
            case OrderCanceled e -> name + " " + e.getReason();
            case OrderClosed e -> name + " " + e.getReason();
            case OrderPaid e -> name + " " + e.getAmount();
            case OrderRefunded e -> name + " " + e.getRefundNo() + " " + e.getAmount() + " of " + e.getRefundedAmount();
            case OrderRefundFailed e -> name + " " + e.getRefundNo() + " " + e.getAmount() + " " + e.getReason();
            case RefundRequested e -> name + " " + e.getRefundNo() + " " + e.getAmount();
            case SagaStuck e -> name + " " + e.getState();
            default -> name;
        };
    }
}
