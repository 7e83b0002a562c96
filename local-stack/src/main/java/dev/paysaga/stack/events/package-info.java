/** Events between people and Kafka: JSON to Avro with errors that name the field, Avro to one line of JSON. */
@NullMarked
package dev.paysaga.stack.events;

import org.jspecify.annotations.NullMarked;
