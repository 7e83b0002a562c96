/** What order decides. Pure: no clock, no random, no database, no broker. */
@NullMarked
package dev.paysaga.order.domain;

import org.jspecify.annotations.NullMarked;
