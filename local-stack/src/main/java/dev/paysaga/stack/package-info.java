/** The command line: one class for each command, which says what it does and leaves the doing to others. */
@NullMarked
package dev.paysaga.stack;

import org.jspecify.annotations.NullMarked;
