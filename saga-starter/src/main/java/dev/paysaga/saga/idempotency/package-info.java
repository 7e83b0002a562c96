/** The Idempotency-Key layer: a request that arrives again is answered again, and its effect is made once. */
@NullMarked
package dev.paysaga.saga.idempotency;

import org.jspecify.annotations.NullMarked;
