/** Real servers for tests: containers where a Docker engine answers, PostgreSQL as processes and Kafka in this JVM elsewhere. */
@NullMarked
package dev.paysaga.testkit;

import org.jspecify.annotations.NullMarked;
