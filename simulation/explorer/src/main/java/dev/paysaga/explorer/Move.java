package dev.paysaga.explorer;

/**
 * A move in the 32 bits of an int, of which an exploration keeps one for each world: kind, saga, place (a queue, a
 * participant or a command), and the number of a message or of a position in a topic.
 */
final class Move {

    /** The kinds. */
    static final int DELIVER = 0,
            REDELIVER = 1,
            COMMAND = 2,
            SHARED_COMMAND = 3,
            PARK = 4,
            REDRIVE = 5,
            SKIP = 6,
            REWIND = 7,
            BEGIN = 8,
            COMMIT = 9;

    /** As many sagas, queues or commands, and messages, fit into a move. */
    static final int MOST_SAGAS = 1 << 3, MOST_PLACES = 1 << 6, MOST_MESSAGES = 1 << 19;

    private Move() {}

    static int of(int kind, int saga, int place, int message) {
        return kind << 28 | saga << 25 | place << 19 | message;
    }

    static int kind(int move) {
        return move >>> 28;
    }

    static int saga(int move) {
        return move >>> 25 & MOST_SAGAS - 1;
    }

    static int place(int move) {
        return move >>> 19 & MOST_PLACES - 1;
    }

    static int message(int move) {
        return move & MOST_MESSAGES - 1;
    }
}
