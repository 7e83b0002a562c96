/** Each change of an aggregate's state leaves a row behind and is counted. */
@NullMarked
package dev.paysaga.saga.state;

import org.jspecify.annotations.NullMarked;
