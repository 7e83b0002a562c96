/** The embedded stack: real servers and services as operating-system processes that outlive the command line. */
@NullMarked
package dev.paysaga.stack.processes;

import org.jspecify.annotations.NullMarked;
