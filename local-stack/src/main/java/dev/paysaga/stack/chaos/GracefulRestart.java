package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.Ending;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One step of a rolling update: a replica is asked to stop, watched while it gives up its relay, and started again.
 *
 * @param replica such as {@code order#2}
 * @param handOver empty when it did not relay
 * @param healthy how long the new process took until it could do all of its work
 */
public record GracefulRestart(String replica, Ending ending, Optional<HandOver> handOver, Duration healthy) {

    private static final int HEALTHY_SECONDS = 300;

    /** Whether this is a replica of a service that relays an outbox. */
    public static boolean isFor(String name) {
        return Databases.SERVICES.contains(serviceOf(name));
    }

    /**
     * Restarts it and waits until it is healthy.
     *
     * @throws StackFailure when it did not run, nobody relays afterwards, or it does not come back
     */
    public static GracefulRestart of(PaymentSystem system, String replica) {
        try (var relay = new RelayWatch(system.databases(), serviceOf(replica));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RelayWatch.Term term = relay.begin();
            Future<Optional<Ending>> stopping = threads.submit(() -> system.stop(replica));
            Optional<HandOver> handOver = term.watch(stopping::isDone);
            Ending ending = stopping.get()
                    .orElseThrow(() -> new StackFailure(replica + " was to be restarted and did not run."));
            long begin = System.nanoTime();
            system.start(replica);
            Await.until(replica + " is healthy", HEALTHY_SECONDS, () -> system.isHealthy(replica));
            return new GracefulRestart(replica, ending, handOver, Duration.ofNanos(System.nanoTime() - begin));
        } catch (SQLException | ExecutionException e) {
            throw new StackFailure("Cannot restart " + replica + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackFailure("Interrupted.", e);
        }
    }

    private static String serviceOf(String replica) {
        return replica.replaceFirst("#.*", "");
    }

    @Override
    public String toString() {
        return "%-14s %s after %s (exit code %s), healthy again after %s%s"
                .formatted(
                        replica,
                        ending.byItself() ? "ended" : "had to be killed",
                        seconds(ending.took()),
                        ending.exitCode() == null ? "not known" : ending.exitCode(),
                        seconds(healthy),
                        handOver.map(relay -> "; relay given up after %s, taken over after %s"
                                        .formatted(seconds(relay.released()), seconds(relay.taken())))
                                .orElse(""));
    }

    private static String seconds(Duration duration) {
        return "%.2f s".formatted(duration.toMillis() / 1e3);
    }
}
