/** What operators and reconciliation may ask of every service, and what a person may decide. */
@NullMarked
package dev.paysaga.saga.ops;

import org.jspecify.annotations.NullMarked;
