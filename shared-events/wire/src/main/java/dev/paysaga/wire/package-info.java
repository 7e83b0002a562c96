/** Events as bytes and headers: Avro in Confluent's wire format, CloudEvents in Kafka headers. Knows no particular event. */
@NullMarked
package dev.paysaga.wire;

import org.jspecify.annotations.NullMarked;
