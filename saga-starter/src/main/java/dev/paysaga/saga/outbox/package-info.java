/** What a service announces: appended in the transaction that made it true. */
@NullMarked
package dev.paysaga.saga.outbox;

import org.jspecify.annotations.NullMarked;
