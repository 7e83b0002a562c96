/** What a person must decide, because no rule may. */
@NullMarked
package dev.paysaga.saga.workorder;

import org.jspecify.annotations.NullMarked;
