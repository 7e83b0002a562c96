/** From the outbox to Kafka, through the write-ahead log. */
@NullMarked
package dev.paysaga.saga.relay;

import org.jspecify.annotations.NullMarked;
