/** The operators' own process: a record of what was published, and reconciliation that goes on all the time. */
@NullMarked
package dev.paysaga.console;

import org.jspecify.annotations.NullMarked;
