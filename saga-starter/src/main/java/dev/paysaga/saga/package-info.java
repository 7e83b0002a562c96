/** The mechanics of a choreographed saga: outbox, relay, inbox, reactor. Knows no order, no money and no stock. */
@NullMarked
package dev.paysaga.saga;

import org.jspecify.annotations.NullMarked;
