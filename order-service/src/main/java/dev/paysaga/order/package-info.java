/** Orders of every merchant: how far each one is, and the pivot between what can be undone and what must succeed. */
@NullMarked
package dev.paysaga.order;

import org.jspecify.annotations.NullMarked;
