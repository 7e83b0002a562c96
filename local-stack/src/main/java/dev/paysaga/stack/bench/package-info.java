/** Measures the running system: orders a second, latencies, and the same work done in one database as the yardstick. */
@NullMarked
package dev.paysaga.stack.bench;

import org.jspecify.annotations.NullMarked;
