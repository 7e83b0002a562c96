/** Compares what the services state about themselves, with each other and with the topics. Shares no code with them. */
@NullMarked
package dev.paysaga.reconciliation;

import org.jspecify.annotations.NullMarked;
