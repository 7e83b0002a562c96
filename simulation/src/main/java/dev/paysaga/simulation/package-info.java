/** The payment saga as a world to explore: the four services' own reactions, and what must hold between them. */
@NullMarked
package dev.paysaga.simulation;

import org.jspecify.annotations.NullMarked;
