package dev.paysaga.stack.processes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended that was asked to stop.
 *
 * @param took from the request until it was gone
 * @param byItself it finished what it had in hand; else its patience was at its end and it was killed
 * @param exitCode 128 + 15 for a JVM that ended in good order upon SIGTERM; null when the system does not tell, as for a
 *     process that another command line has started
 */
public record Ending(
        Duration took, boolean byItself, @Nullable Integer exitCode) {}
