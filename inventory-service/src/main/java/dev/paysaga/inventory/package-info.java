/** Stock of every merchant: what is on the shelf, and what is promised to whom. */
@NullMarked
package dev.paysaga.inventory;

import org.jspecify.annotations.NullMarked;
