/** The scenarios of the demonstration, told event by event as they happen, and checked. */
@NullMarked
package dev.paysaga.stack.demo;

import org.jspecify.annotations.NullMarked;
