/** The account service: holds, captures, voids and refunds orders' money in a double-entry ledger. */
@NullMarked
package dev.paysaga.account;

import org.jspecify.annotations.NullMarked;
