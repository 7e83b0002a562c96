/** The whole system as processes, driven through its command line as a person would. */
@NullMarked
package dev.paysaga.system;

import org.jspecify.annotations.NullMarked;
