/** Chaos: load and faults together, then a verdict on every promise that clients were given. */
@NullMarked
package dev.paysaga.stack.chaos;

import org.jspecify.annotations.NullMarked;
