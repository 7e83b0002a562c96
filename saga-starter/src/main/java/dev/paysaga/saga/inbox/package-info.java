/** What a service hears: each event takes effect once, one poll is one transaction. */
@NullMarked
package dev.paysaga.saga.inbox;

import org.jspecify.annotations.NullMarked;
