package dev.paysaga.saga.idempotency;

import java.util.Map;

/**
 * An answer as it is stored and sent again.
 *
 * @param status HTTP status
 * @param headers those that belong to the answer itself, not to the exchange
 * @param body its bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record Answer(int status, Map<String, String> headers, byte[] body) {

    Answer {
        headers = Map.copyOf(headers);
    }
}
