/** The reactor against a real database and a real broker, with counters as its domain. */
@NullMarked
package dev.paysaga.saga.inbox;

import org.jspecify.annotations.NullMarked;
