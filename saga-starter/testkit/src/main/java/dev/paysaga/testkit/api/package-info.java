/** An API held to its word: its document is current and breaks nobody, and whatever is sent is answered as the document says. */
@NullMarked
package dev.paysaga.testkit.api;

import org.jspecify.annotations.NullMarked;
