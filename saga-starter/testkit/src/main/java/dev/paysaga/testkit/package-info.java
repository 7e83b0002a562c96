/** Real servers for tests, without Docker: PostgreSQL as processes, Kafka in this JVM. */
@NullMarked
package dev.paysaga.testkit;

import org.jspecify.annotations.NullMarked;
