package dev.paysaga.stack.processes;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A running system, whatever runs it: where everything is found, and what can be done to its processes. The ports and the
 * secrets are the same for all of them, so who only talks to the system need not know which it is.
 */
public interface PaymentSystem {

    /** Passwords, and the key that signs tokens. */
    Secrets secrets();

    /** Where everything listens on this machine. */
    Ports ports();

    /** Where the broker is found, as Kafka clients want it. */
    default String bootstrapServers() {
        return KafkaMember.bootstrap(ports());
    }

    /** Where the schema registry is found, as Confluent's client wants it. */
    default String registryUrl() {
        return RegistryMember.url(ports());
    }

    /** The services' databases. */
    default Databases databases() {
        return new Databases(ports(), secrets());
    }

    /** What is still on its way through the services. */
    default Quiet quiet() {
        return new Quiet(databases(), bootstrapServers());
    }

    /**
     * Starts one process and waits until it can be used.
     *
     * @param name such as {@code order}, {@code order#2}, {@code kafka} or {@code order-db}
     */
    void start(String name);

    /**
     * SIGKILL to one process (for PostgreSQL: to the whole instance), as a crash would.
     *
     * @return false when it was not running
     */
    boolean kill(String name);

    /**
     * Holds a process in the middle of whatever it does, until it is killed or {@link #resume resumed}.
     *
     * @return false when it was not running
     */
    boolean pause(String name);

    /**
     * Lets a paused process go on.
     *
     * @return false when it was not running
     */
    boolean resume(String name);

    /**
     * Asks one process to stop, as a rolling update would, and waits until it has; kills it when it does not.
     *
     * @return empty when it was not running
     */
    Optional<Ending> stop(String name);

    /**
     * Starts one process and waits for nothing: what it needs may be away just now.
     *
     * @return false when it ran already
     */
    boolean launch(String name);

    /** It can be used. */
    boolean isReady(String name);

    /** A service can do all of its work: not only answer, but also listen and relay, or stand by to do so. */
    default boolean isHealthy(String service) {
        return Probe.healthy(ports().management(service).number(), "/actuator/health");
    }

    /** Names of those that have a process, paused or starting or ready. */
    Set<String> alive();

    /** Every process that there should be, in the order they are started. */
    List<State> states();

    /**
     * Prints what a process has logged.
     *
     * @param follow go on with what it logs from now on, until the reader goes away
     */
    void printLog(String name, boolean follow, PrintStream out);

    /**
     * A process as it is now.
     *
     * @param state {@code ready}, {@code starting} (or unable to serve), {@code dead} (killed or crashed) or {@code stopped}
     * @param pid null when it does not run
     * @param managementPort where its operators look; null when there is none
     * @param rssBytes memory of the process and its children, what they share counted once
     */
    record State(
            String name,
            String state,
            @Nullable Long pid,
            int port,
            @Nullable Integer managementPort,
            long rssBytes) {

        /** It can be used. */
        public boolean isReady() {
            return state.equals("ready");
        }
    }
}
