package dev.paysaga.explorer;

import static dev.paysaga.explorer.Command.Origin.OUTSIDE;
import static dev.paysaga.explorer.Command.Origin.SYSTEM;
import static dev.paysaga.explorer.Command.Scope.ONE_SAGA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.explorer.TravelBookingTest.Trip.TripState;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Another domain: a trip needs a hotel room, and may be called off at any time. One room, as many trips as one likes. */
class TravelBookingTest {

    record TripBooked() {}

    record TripCalledOff() {}

    record RoomBooked() {}

    record RoomRefused() {}

    /** The trip: asks for a room; called off by the traveller or by the hotel's refusal. */
    static final class Trip implements Participant {

        enum TripState {
            WISHED,
            ASKED,
            BOOKED,
            OFF
        }

        @Override
        public String name() {
            return "trip";
        }

        @Override
        public Set<String> hears() {
            return Set.of("hotel");
        }

        @Override
        public Object start(int saga) {
            return TripState.WISHED;
        }

        @Override
        public Object shared() {
            return "";
        }

        @Override
        public Step react(Object event, Object local, Object shared) {
            TripState now = (TripState) local;
            return switch (event) {
                case RoomBooked e when now == TripState.ASKED -> Step.of(TripState.BOOKED, shared);
                case RoomRefused e when now == TripState.ASKED -> Step.of(TripState.OFF, shared);
                default -> Step.of(now, shared);
            };
        }

        @Override
        public String label(Object local) {
            return local.toString();
        }
    }

    /** The hotel with one room. With {@code remembers}, a call-off that overtakes its booking is not forgotten. */
    record Hotel(boolean remembers) implements Participant {

        enum RoomState {
            UNSEEN,
            BOOKED,
            REFUSED,
            RELEASED
        }

        @Override
        public String name() {
            return "hotel";
        }

        @Override
        public Set<String> hears() {
            return Set.of("bookings", "call-offs");
        }

        @Override
        public Object start(int saga) {
            return RoomState.UNSEEN;
        }

        @Override
        public Object shared() {
            return 1;
        }

        @Override
        public Step react(Object event, Object local, Object shared) {
            RoomState now = (RoomState) local;
            int free = (Integer) shared;
            return switch (event) {
                case TripBooked e
                when now == RoomState.UNSEEN && free > 0 -> Step.of(RoomState.BOOKED, free - 1, new RoomBooked());
                case TripBooked e when now == RoomState.UNSEEN -> Step.of(RoomState.REFUSED, free, new RoomRefused());
                case TripCalledOff e when now == RoomState.BOOKED -> Step.of(RoomState.RELEASED, free + 1);
                case TripCalledOff e when now == RoomState.UNSEEN && remembers -> Step.of(RoomState.RELEASED, free);
                default -> Step.of(now, shared);
            };
        }

        @Override
        public String label(Object local) {
            return local.toString();
        }
    }

    private static Choreography trips(int sagas, boolean hotelRemembers) {
        return Choreography.of(List.of(new Trip(), new Hotel(hotelRemembers)))
                .sagas(sagas)
                .topicOf(event -> switch (event) {
                    case TripBooked e -> "bookings";
                    case TripCalledOff e -> "call-offs";
                    default -> "hotel";
                })
                .command(new Command(
                        "traveller books",
                        "trip",
                        1,
                        ONE_SAGA,
                        SYSTEM,
                        (now, shared) ->
                                now == TripState.WISHED ? Step.of(TripState.ASKED, shared, new TripBooked()) : null))
                .command(new Command(
                        "traveller calls off",
                        "trip",
                        1,
                        ONE_SAGA,
                        OUTSIDE,
                        (now, shared) -> now == TripState.ASKED || now == TripState.BOOKED
                                ? Step.of(TripState.OFF, shared, new TripCalledOff())
                                : null))
                .invariant(Invariant.atRest("no room is kept for a trip that is off", world -> {
                    long off = count(world, "trip", TripState.OFF::equals);
                    long kept = count(world, "hotel", Hotel.RoomState.BOOKED::equals);
                    return kept + off > world.sagas() ? kept + " kept, " + off + " off" : null;
                }))
                .invariant(Invariant.always(
                        "the room is let once",
                        world -> count(world, "hotel", Hotel.RoomState.BOOKED::equals) + world.<Integer>shared("hotel")
                                        == 1
                                ? null
                                : "rooms do not add up"))
                .settled(world -> count(world, "trip", state -> state == TripState.BOOKED || state == TripState.OFF)
                        == world.sagas())
                .redeliveries(1)
                .build();
    }

    private static long count(View world, String participant, Predicate<Object> state) {
        long count = 0;
        for (int saga = 0; saga < world.sagas(); saga++) {
            count += state.test(world.local(saga, participant)) ? 1 : 0;
        }
        return count;
    }

    @Test
    void a_hotel_that_remembers_call_offs_keeps_no_room_for_nobody() {
        Exploration found = Explorer.exhaustWithLiveness(trips(3, true), 1_000_000);
        assertThat(found.violation()).as(() -> found.violation().story()).isNull();
        assertThat(found.exhausted()).isTrue();
        assertThat(found.statesEntered()).contains("hotel BOOKED", "hotel REFUSED", "hotel RELEASED", "trip OFF");
        assertThat(found.cells().get(new Cell("hotel", "UNSEEN", "TripCalledOff")))
                .containsExactly("RELEASED");
    }

    @Test
    void a_forgetful_hotel_is_found_out_on_a_shortest_trace() {
        Violation violation = Explorer.exhaust(trips(1, false), 1_000_000).violation();
        assertThat(violation).isNotNull();
        assertThat(violation.invariant()).isEqualTo("no room is kept for a trip that is off");
        assertThat(violation.trace())
                .containsExactly(
                        "traveller books",
                        "traveller calls off",
                        "hotel <- TripCalledOff",
                        "hotel <- TripBooked",
                        "trip <- RoomBooked");
    }

    @Test
    void a_random_walk_finds_it_too_and_tells_only_the_moves_that_matter() {
        Violation violation = Explorer.walk(trips(2, false), 7, 10_000).violation();
        assertThat(violation).isNotNull();
        assertThat(violation.trace()).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void a_printed_trace_can_be_played_again() {
        String trace = String.join(
                "\n", Explorer.exhaust(trips(1, false), 1_000_000).violation().trace());
        assertThatThrownBy(() -> Replay.of(trips(1, false)).play(trace).mustHold())
                .hasMessageContaining("no room is kept");
        Replay.of(trips(1, true)).play(trace).mustHold();
    }

    @Test
    void a_trace_that_cannot_happen_says_what_can() {
        assertThatThrownBy(() -> Replay.of(trips(1, true)).play("traveller walks"))
                .hasMessage("\"traveller walks\" cannot happen here; what can: [traveller books]");
        assertThatThrownBy(() -> Replay.of(trips(1, true)).mustPlay("traveller calls off"))
                .hasMessage("\"traveller calls off\" cannot happen here; what can: [traveller books]");
    }

    @Test
    void a_command_that_is_refused_now_does_not_spoil_a_pasted_trace() {
        Replay.of(trips(1, true)).play("traveller calls off").mustHold();
    }
}
