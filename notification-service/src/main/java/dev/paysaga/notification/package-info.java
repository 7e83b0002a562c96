/** What merchants are told about the outcome of their orders, once per outcome. */
@NullMarked
package dev.paysaga.notification;

import org.jspecify.annotations.NullMarked;
