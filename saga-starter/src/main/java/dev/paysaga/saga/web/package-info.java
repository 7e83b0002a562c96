/** HTTP manners: problem details, limits, validation by name. */
@NullMarked
package dev.paysaga.saga.web;

import org.jspecify.annotations.NullMarked;
