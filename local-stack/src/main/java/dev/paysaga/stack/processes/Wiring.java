package dev.paysaga.stack.processes;

import java.util.List;
import java.util.Map;

/** How services reach their servers and which clock they read: straight, unless somebody stands in between. */
public interface Wiring {

    /** The port under which a service finds its database. */
    int database(String service);

    /** The port under which a service finds the broker. */
    int kafka(String service);

    /** Where the broker listens besides its own port. */
    List<Listener> listeners();

    /** Added to the environment of a service's process. */
    Map<String, String> environment(String process);

    /**
     * A further listener of the broker: it tells its clients to come to another port than the one it listens on.
     *
     * @param name in capital letters and digits
     */
    record Listener(String name, int port, int advertised) {}

    /** Nobody in between. */
    static Wiring straight(Ports ports) {
        return new Wiring() {
            @Override
            public int database(String service) {
                return ports.of(service + "-db").number();
            }

            @Override
            public int kafka(String service) {
                return ports.of("kafka").number();
            }

            @Override
            public List<Listener> listeners() {
                return List.of();
            }

            @Override
            public Map<String, String> environment(String process) {
                return Map.of();
            }
        };
    }
}
