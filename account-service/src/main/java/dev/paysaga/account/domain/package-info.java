/** What account decides about money: pure functions over immutable records, in minor units, exact or refused. */
@NullMarked
package dev.paysaga.account.domain;

import org.jspecify.annotations.NullMarked;
