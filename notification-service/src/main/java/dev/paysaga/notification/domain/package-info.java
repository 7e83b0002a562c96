/** What merchants are told. Pure: no clock, no random, no database, no network. */
@NullMarked
package dev.paysaga.notification.domain;

import org.jspecify.annotations.NullMarked;
