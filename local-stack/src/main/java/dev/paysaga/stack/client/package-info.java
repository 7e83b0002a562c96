/** The services' HTTP interface as a careful client uses it: every POST has a key, and is sent again until it is answered. */
@NullMarked
package dev.paysaga.stack.client;

import org.jspecify.annotations.NullMarked;
