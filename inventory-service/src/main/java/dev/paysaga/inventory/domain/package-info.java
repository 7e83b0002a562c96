/** What inventory decides. Pure: no clock, no random, no database, no broker. */
@NullMarked
package dev.paysaga.inventory.domain;

import org.jspecify.annotations.NullMarked;
