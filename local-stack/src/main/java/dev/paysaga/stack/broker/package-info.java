/** A Kafka broker in a plain JVM, and nothing else: this process must not depend on the rest of the command line. */
@NullMarked
package dev.paysaga.stack.broker;

import org.jspecify.annotations.NullMarked;
