/** The published language of the payment saga: its events (generated from {@code src/main/avro}), topics and keys. No logic. */
@NullMarked
package dev.paysaga.events;

import org.jspecify.annotations.NullMarked;
