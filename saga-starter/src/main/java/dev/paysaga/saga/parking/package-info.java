/** Events that could not be handled, kept in order with everything behind them. */
@NullMarked
package dev.paysaga.saga.parking;

import org.jspecify.annotations.NullMarked;
